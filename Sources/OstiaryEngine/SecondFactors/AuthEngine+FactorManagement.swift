import OstiaryCore

/// The parts that the operations on an account's factors share.
extension AuthEngine {
    /// Authenticates the owner of factors who is about to change them.
    ///
    /// - Parameter added: The method of a factor to be added.
    /// - Throws: ``AuthError/notFound`` for an app without second factors, or without the method: the factor would make
    ///   every sign-in ask for an answer that the app does not accept; ``AuthError/stepUpRequired(_:)``.
    func factorOwner(
        _ accessToken: Secret<String>, adding added: ChallengeMethod? = nil
    ) async throws -> AuthenticatedSession {
        guard app.secondFactor.requirement != .off, added.map(app.secondFactor.methods.contains) ?? true else {
            throw AuthError.notFound
        }
        let bearer = try await signedIn(accessToken)
        try await requireStepUp(bearer, managesFactors: true)
        return bearer
    }

    /// Adds a factor, raises the session that adds it, ends the others and informs the owner, in one commit.
    ///
    /// - Returns: The account's recovery codes if these are its first; `nil` otherwise.
    func enrol(
        _ factor: Factor, of bearer: AuthenticatedSession, by event: AuthenticationContext.Event,
        spending record: SingleUseRecordKey?
    ) async throws -> [Secret<String>]? {
        let account = bearer.account
        var context = context(of: bearer.session, account)
        context.add(event)
        let codes = newRecoveryCodes()
        let outcome: EnrolmentOutcome
        do {
            outcome = try await ports.store.enrol(
                FactorEnrolment(
                    factor: factor, spending: record, recoveryCodes: hashes(of: codes, account.id),
                    credentialVersion: account.credentialVersion, session: bearer.session.id, authentication: context,
                    notice: try await notice(.added, to: account), at: ports.system.now()))
        } catch StoreRefusal.alreadySpent {
            throw Refused(.notFound, account: account.id, session: bearer.session.id)
        }
        switch outcome {
        case .enrolled(let storedRecoveryCodes):
            ports.notificationSealer.wake()
            return storedRecoveryCodes ? codes.map { Secret($0.reveal()) } : nil
        case .limitReached: throw Refused(.factorLimitReached, account: account.id, session: bearer.session.id)
        case .overtaken: throw Refused(.sessionRevoked, account: account.id, session: bearer.session.id)
        }
    }

    func newRecoveryCodes() -> [RecoveryCode] { (0..<RecoveryCode.count).map { _ in RecoveryCode(ports.system) } }

    func hashes(of codes: [RecoveryCode], _ account: AccountID) -> [[UInt8]] {
        codes.map { $0.hash(for: account, in: app.name, keys: ports.keys) }
    }

    /// Returns the hash under which a factor is kept until it is confirmed, which binds it to the account.
    func pendingFactorHash(_ id: FactorID, of account: Account) -> [UInt8] {
        ports.keys.digest(["pending", account.id.text, id.text], for: .factors, app: app.name)
    }
}

extension Factor {
    /// The factor as its owner sees it.
    var entry: EnrolledFactor {
        EnrolledFactor(
            id: id, type: ChallengeMethod(rawValue: kind.rawValue), name: name, createdAt: createdAt,
            lastUsedAt: lastUsedAt)
    }
}

extension Account {
    /// The identifier that an authenticator app shows beside the codes.
    var label: String { email?.text ?? username?.text ?? phoneNumber?.e164 ?? id.text }
}
