public import OstiaryCore

extension Administration {
    /// Returns the second factors of an account.
    ///
    /// - Throws: ``AdministrationProblem`` if the app has no such account.
    public func factors(of id: AccountID) async throws -> EnrolledFactors {
        try await ports.store.factors(of: account(id).id, in: app.name)
    }

    /// Removes a second factor of an account and informs its owner, who can undo it. The recovery codes are removed with the
    /// last factor.
    ///
    /// An app that requires a second factor does not keep the last one from being removed here: the owner adds another at
    /// the next sign-in.
    ///
    /// - Throws: ``AdministrationProblem`` if the account has no such factor, or it is the passkey without which nothing is
    ///   left to sign in with.
    public func removeFactor(_ factor: FactorID, of id: AccountID) async throws {
        let account = try await account(id)
        let enrolled = try await ports.store.factors(of: id, in: app.name)
        guard let removed = enrolled.factors.first(where: { $0.id == factor }) else { throw noFactor(factor, of: id) }
        try await audit("users.factors.remove", id)
        let undo = engine.undoLink(for: .removed, kind: removed.kind, of: account)
        try await engine.reserveCredentialIDs(of: [removed], for: undo)
        let outcome = try await ports.store.remove(
            factor, of: id, in: app.name, keepingLast: false,
            notice: engine.notice(of: .removed, kind: removed.kind, to: account, undo), undo: undo?.record())
        switch outcome {
        case .removed: ports.notificationSealer.wake()
        case .unknown: throw noFactor(factor, of: id)
        case .isLast:
            throw AdministrationProblem.conflict(
                "last_way_in", "the factor \(factor) is the account's only way in; set a password first")
        }
    }

    private func noFactor(_ factor: FactorID, of id: AccountID) -> AdministrationProblem {
        .notFound("no second factor \(factor) of the account \(id) in \(app.name)")
    }

    /// Removes all second factors and recovery codes of an account, ends its sessions and informs its owner, who can undo
    /// it.
    ///
    /// - Returns: The account, and the number of removed factors.
    /// - Throws: ``AdministrationProblem`` if the app has no such account, or the account has no factors.
    @discardableResult
    public func resetFactors(of id: AccountID) async throws -> (account: Account, count: Int) {
        let account = try await account(id)
        let enrolled = try await ports.store.factors(of: id, in: app.name)
        guard !enrolled.factors.isEmpty else {
            throw AdministrationProblem.notFound("the account \(id) has no second factors; nothing has changed")
        }
        try await audit("users.factors.reset", id)
        let undo = engine.undoLink(for: .reset, of: account)
        try await engine.reserveCredentialIDs(of: enrolled.factors, for: undo)
        let count = try await ports.store.removeFactors(
            of: id, in: app.name, Revocation(reason: .factorsChanged, at: now),
            notice: engine.notice(of: .reset, to: account, undo), undo: undo?.record())
        ports.notificationSealer.wake()
        return (account, count)
    }
}
