import OstiaryClient
public import OstiaryCore

/// The second factors of the account that is signed in, or of one that must add a factor before its session begins.
extension AuthViewModel {
    // MARK: Queries

    /// The kinds of factors that the person can add here: the contract, the app and the server have them. At a sign-in that
    /// must add one, in the server's order.
    public var addableFactors: [ChallengeMethod] {
        (enrolmentChallenge?.methods ?? [.totp, .passkey]).filter { method in
            switch method {
            case .totp: screens.has(.confirmTOTP) && auth.contract.endpoint(for: .beginTOTP) != nil
            case .passkey: options.passkeys != nil && auth.contract.endpoint(for: .registerPasskey) != nil
            default: false
            }
        }.filter { !refusedFactors.contains($0) }
    }

    /// `true` while a sign-in waits for the account's first factor: the app requires one.
    public var mustAddFactor: Bool { enrolmentChallenge != nil }

    /// The challenge of a sign-in that must add a factor.
    var enrolmentChallenge: Challenge? { step == .challenge(Challenge.enrollFactor) ? challenge : nil }

    /// `true` once a sign-in has ended for its screens: the session exists, and no recovery codes are to be shown first.
    var isEntered: Bool { isSignedIn && recoveryCodes == nil && !running.keys.contains(where: \.bringsRecoveryCodes) }

    /// `true` if the contract lets people rename their factors.
    public var renamesFactors: Bool { screens.has(.renameFactor) }

    /// Returns `true` if the person can remove the factor: not the last one where the app requires a factor.
    public func canRemove(_ factor: EnrolledFactor) -> Bool {
        removesFactors && !(factors?.isRequired == true && isLast(factor))
    }

    /// Returns `true` if the account has no other factor.
    public func isLast(_ factor: EnrolledFactor) -> Bool { factors?.factors.map(\.id) == [factor.id] }

    /// `true` if the contract lets people remove their factors.
    public var removesFactors: Bool { auth.contract.endpoint(for: .removeFactor) != nil }

    /// Returns `true` if the typed name can be saved: it is valid, and differs from the factor's.
    public func canRename(_ factor: EnrolledFactor) -> Bool {
        canSubmit(.renameFactor) && FactorNameRule().check(fields.factorName).value?.text != factor.name
    }

    /// `true` if there is something to show about second factors: the account has some, or can add one.
    public var showsFactors: Bool { factors?.factors.isEmpty == false || !addableFactors.isEmpty }

    /// The key of the explanation of second factors for this account.
    public var securityLead: TextKey {
        if factors?.isRequired == true { return .securityRequired }
        return factors?.factors.isEmpty == false ? .securityOn : .securityLead
    }

    /// The number of recovery codes that are left, in words.
    public var recoveryCodesLeftText: String {
        switch factors?.recoveryCodesLeft ?? 0 {
        case ...0: texts(.recoveryCodesNoneLeft)
        case 1: texts(.recoveryCodesOneLeft)
        case let count: texts(.recoveryCodesLeft, ["count": "\(count)"])
        }
    }

    /// `true` if the person can replace the recovery codes: the account has factors, and the contract offers it.
    public var replacesRecoveryCodes: Bool {
        auth.contract.endpoint(for: .replaceRecoveryCodes) != nil && factors?.factors.isEmpty == false
    }

    /// `true` if so few recovery codes are left that the person should replace them.
    public var hasFewRecoveryCodes: Bool {
        replacesRecoveryCodes && (factors?.recoveryCodesLeft ?? 0) <= Self.fewRecoveryCodes
    }

    private static let fewRecoveryCodes = 3

    /// The key of the pending authenticator app in groups of four letters, for a person to type; `nil` without one.
    public var pendingTOTPKey: String? {
        guard let secret = pendingTOTP?.secret.reveal() else { return nil }
        var groups = ""
        for (index, scalar) in secret.unicodeScalars.enumerated() {
            if index > 0, index.isMultiple(of: 4) { groups += " " }
            groups.unicodeScalars.append(scalar)
        }
        return groups
    }

    /// The recovery codes as a document to copy, to share and to print: a title, the account, a code on each line; `nil`
    /// without codes to show.
    public var recoveryCodesDocument: String? {
        guard let recoveryCodes else { return nil }
        var lines = [texts(.recoveryCodesTitle)]
        if let appName = options.appName { lines.append(appName) }
        if case .signedIn(let session, _) = state, !session.label.isEmpty { lines.append(session.label) }
        lines.append("")
        lines += recoveryCodes.map { $0.reveal() }
        return (lines + ["", texts(.recoveryCodesEachOnce)]).joined(separator: "\n")
    }

    // MARK: The list

    /// Loads the account's second factors into ``factors``. A failure is in ``factorsError``, and the known ones stay.
    ///
    /// - Returns: `nil` if there is no session, or the server does not list factors.
    @discardableResult
    public func loadFactors() -> Task<Void, Never>? {
        guard isSignedIn, screens.listsFactors else { return nil }
        return begin(.loadFactors, retrying: nil) { [auth] () async throws(ClientError) in
            try await auth.factors()
        } take: { model, factors in
            model.factors = factors
            model.factorsError = nil
        }
    }

    /// Loads the factors anew after a change: a list that is on its way may be older.
    func reloadFactors() {
        abandon(.loadFactors)
        loadFactors()
    }

    // MARK: An authenticator app

    /// Begins to add an authenticator app; its key is in ``pendingTOTP``.
    ///
    /// - Returns: `nil` if there is no session, and no sign-in that must add a factor.
    @discardableResult
    public func addTOTP() -> Task<Void, Never>? {
        let challenge = enrolmentChallenge
        guard isSignedIn || challenge != nil else { return nil }
        fields.forgetSecrets()
        fields.factorName = ""
        return begin(.addTOTP, retrying: { $0.addTOTP() }) { [auth] () async throws(ClientError) in
            guard let challenge else { return try await auth.addTOTP() }
            return try await auth.addTOTP(for: challenge)
        } take: { model, pending in
            model.pendingTOTP = pending
        }
    }

    /// Adds the pending authenticator app with the typed code and name.
    ///
    /// - Returns: `nil` if no app is pending, or a field is missing or invalid.
    @discardableResult
    public func confirmTOTP() -> Task<Void, Never>? {
        guard let pending = pendingTOTP, let typed = filled(.confirmTOTP) else { return nil }
        let challenge = enrolmentChallenge
        // The server's own name for it is in English.
        let name = typed.factorName ?? texts(.authenticatorApp)
        return begin(.form(.confirmTOTP), retrying: { $0.confirmTOTP() }) { [auth] () async throws(ClientError) in
            guard let challenge else {
                return Enrolment(try await auth.confirmTOTP(pending, code: typed.code, name: name))
            }
            return Enrolment(try await auth.confirmTOTP(pending, code: typed.code, name: name, for: challenge))
        } take: { model, enrolment in
            model.discardTOTP()
            model.didEnrol(enrolment)
        }
    }

    /// Forgets the pending authenticator app, for a person who leaves its screen.
    public func discardTOTP() {
        abandon(.addTOTP)
        pendingTOTP = nil
        fields.forgetSecrets()
        fields.factorName = ""
        visitedEntries = []
    }

    // MARK: A passkey

    /// Creates a passkey and adds it to the account.
    ///
    /// - Returns: `nil` if the app has no passkeys, or there is no session and no sign-in that must add a factor.
    @discardableResult
    public func addPasskey() -> Task<Void, Never>? {
        let challenge = enrolmentChallenge
        guard isSignedIn || challenge != nil, let passkeys = options.passkeys else { return nil }
        return begin(.addPasskey, retrying: { $0.addPasskey() }) { [auth] () async throws(ClientError) in
            guard let challenge else {
                return Enrolment(try await auth.addPasskey(name: nil, from: passkeys).recoveryCodes)
            }
            return Enrolment(try await auth.addPasskey(name: nil, from: passkeys, for: challenge))
        } take: { model, enrolment in
            model.didEnrol(enrolment)
        }
    }

    /// The result of adding a factor.
    private struct Enrolment: Sendable {
        var recoveryCodes: [Secret<String>]?
        /// The session that began with it; `nil` if one existed.
        var session: ClientSession.ID?

        init(_ recoveryCodes: [Secret<String>]?) { self.recoveryCodes = recoveryCodes }

        init(_ enrolled: EnrolledSession) { (recoveryCodes, session) = (enrolled.recoveryCodes, enrolled.session.id) }
    }

    private func didEnrol(_ enrolment: Enrolment) {
        if let session = enrolment.session {
            // The client's state may say later that the session is another one, which must not discard its codes.
            if factorSession != session { forgetFactors() }
            factorSession = session
            didSignIn()
        }
        addedFactors += 1
        if let codes = enrolment.recoveryCodes {
            recoveryCodes = codes
        } else if enrolment.session == nil {
            notify(.factorAdded)
        }
        reloadFactors()
    }

    /// Returns `true` for an action that adds the factor of a sign-in, which ends with another session.
    func isOfSignIn(_ action: AuthAction) -> Bool { mustAddFactor && action.addsFactor }

    // MARK: Changes

    /// Gives a factor the typed name.
    ///
    /// - Returns: `nil` if there is no session, or the name is missing or invalid.
    @discardableResult
    public func renameFactor(_ id: FactorID) -> Task<Void, Never>? {
        guard isSignedIn, let typed = filled(.renameFactor), let name = typed.factorName else { return nil }
        return begin(.form(.renameFactor), retrying: { $0.renameFactor(id) }) { [auth] () async throws(ClientError) in
            try await auth.renameFactor(id, to: name)
        } take: { model, renamed in
            if let index = model.factors?.factors.firstIndex(where: { $0.id == renamed.id }) {
                model.factors?.factors[index] = renamed
            }
            model.notify(.factorRenamed)
        }
    }

    /// Removes a factor; with the last one, the recovery codes stop working.
    ///
    /// - Returns: `nil` if there is no session.
    @discardableResult
    public func removeFactor(_ id: FactorID) -> Task<Void, Never>? {
        guard isSignedIn else { return nil }
        return begin(.removeFactor(id), retrying: { $0.removeFactor(id) }) { [auth] () async throws(ClientError) in
            try await auth.removeFactor(id)
        } take: { model, _ in
            model.factors?.factors.removeAll { $0.id == id }
            model.notify(.factorRemoved)
            model.reloadFactors()
        }
    }

    // MARK: Recovery codes

    /// Replaces the recovery codes; the new ones are in ``recoveryCodes``.
    ///
    /// - Returns: `nil` if there is no session.
    @discardableResult
    public func replaceRecoveryCodes() -> Task<Void, Never>? {
        guard isSignedIn else { return nil }
        return begin(.replaceRecoveryCodes, retrying: { $0.replaceRecoveryCodes() }) {
            [auth] () async throws(ClientError) in
            try await auth.replaceRecoveryCodes()
        } take: { model, codes in
            model.recoveryCodes = codes
            model.reloadFactors()
        }
    }

    /// Forgets the recovery codes once the person has said that they are saved.
    public func didSaveRecoveryCodes() { recoveryCodes = nil }

    /// Forgets the factors of a session that is no longer current.
    func forgetFactors() {
        for action in running.keys where action.bringsRecoveryCodes && !isOfSignIn(action) { abandon(action) }
        (factors, factorsError, pendingTOTP, recoveryCodes, refusedFactors) = (nil, nil, nil, nil, [])
        chosenStepUpMethod = nil
        stepUpPrompt.end(.failure(.cancelled))
    }
}
