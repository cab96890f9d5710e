import OstiaryCore

/// The parts that the operations on an account's factors share.
extension AuthEngine {
    /// Authenticates the owner of factors who is about to change them.
    ///
    /// - Throws: ``AuthError/notFound`` for an app without second factors; ``AuthError/stepUpRequired(_:)``.
    func factorOwner(_ accessToken: Secret<String>) async throws -> AuthenticatedSession {
        guard app.secondFactor.requirement != .off else { throw AuthError.notFound }
        let bearer = try await signedIn(accessToken, requiringFactor: false)
        try await requireStepUp(bearer, managesFactors: true)
        return bearer
    }

    /// Authenticates the owner of an account who is about to add a factor, by an access token, by the token of a sign-in that
    /// must add one, or by that of a recovery.
    ///
    /// - Parameter method: The method of the factor to be added.
    /// - Throws: ``AuthError/notFound`` for an app without the method: the factor would make every sign-in ask for an answer
    ///   that the app does not accept; ``AuthError/stepUpRequired(_:)``; ``AuthError/challengeRefused`` for a sign-in whose
    ///   account has a factor by now, and for a recovery that is over; ``AuthError/tooManyAttempts(retryAfterSeconds:)`` for
    ///   one that is not open yet.
    func factorOwner(_ token: Secret<String>, adding method: ChallengeMethod) async throws -> FactorOwner {
        guard app.secondFactor.methods.contains(method) else { throw AuthError.notFound }
        guard app.secondFactor.requirement != .off,
            let step = try ChallengeToken.addition(presentedAs: token, in: self)
        else { return .signedIn(try await factorOwner(token)) }
        switch step {
        case .signIn(let pending):
            let account = try await account(pending.account, ifCredentialsAre: pending.credentialVersion)
            try countFlood(.other, "account", account.id.text)
            guard try await ports.store.factors(of: account.id, in: app.name).factors.isEmpty else {
                throw Refused(.challengeRefused, account: account.id)
            }
            return .signingIn(account, pending)
        case .recovery(let pending):
            guard method == .passkey else { throw AuthError.challengeRefused }
            return try await owner(recoveredBy: pending)
        }
    }

    /// Adds a factor, raises the session that adds it or opens the session of the sign-in or the recovery, ends the others and
    /// informs the owner, in one commit.
    ///
    /// - Parameter opensSession: `false` for a recovery that opens no session.
    func enrol(
        _ factor: Factor, of owner: FactorOwner, by event: AuthenticationContext.Event,
        spending record: SingleUseRecordKey?, opensSession: Bool = true
    ) async throws -> Enrolment {
        let account = owner.account
        switch owner {
        case .signedIn, .signingIn: try await countChange(of: account)
        // Limited by the message with its link.
        case .recovering: break
        }
        let codes = newRecoveryCodes()
        let hashes = hashes(of: codes, account.id)
        let undo = undoLink(for: .added, kind: factor.kind, of: account)
        var enrolment = FactorEnrolment(
            factor: factor, spending: record, recoveryCodes: hashes,
            credentialVersion: account.credentialVersion, session: owner.sessionID,
            authentication: AuthenticationContext(),
            notice: try await notice(of: .added, kind: factor.kind, to: account, undo),
            undo: try undo?.record(adding: factor.id, recoveryCodes: hashes), at: ports.system.now())
        func shown(_ storedRecoveryCodes: Bool) -> [Secret<String>]? {
            storedRecoveryCodes ? codes.map { Secret($0.reveal()) } : nil
        }
        func completed(_ authentication: Authentication) async throws -> Enrolment {
            var authentication = authentication
            authentication.enrolment = enrolment
            let handler = SessionOpeningHandler(authenticator: EnrolmentHandler(authentication: authentication))
            guard opensSession else {
                let storedRecoveryCodes: Bool = try await handler.complete(in: self) {
                    try await store(enrolment, overtakenBy: $0.ifOvertaken)
                }
                return .added(recoveryCodes: shown(storedRecoveryCodes))
            }
            let opened = try await handler.open(in: self)
            return .signedIn(opened.outcome, recoveryCodes: shown(opened.storedRecoveryCodes))
        }
        switch owner {
        case .signedIn(let bearer):
            enrolment.authentication = context(of: bearer.session, account)
            enrolment.authentication.add(event)
            return .added(recoveryCodes: shown(try await store(enrolment, overtakenBy: .sessionRevoked)))
        case .signingIn(_, let pending):
            enrolment.knownFactors = []
            return try await completed(pending.authentication(of: account, adding: event))
        case .recovering(_, let enrolled):
            enrolment.knownFactors = enrolled.factors.map(\.id)
            // Another person may have registered an address that was never proved, with a passkey: see decision 115.
            enrolment.replacesFactors = !account.isEmailVerified
            let recovered = try await completed(
                Authentication(
                    account: account, method: SignInMethod.recovery, factor: event.method,
                    context: AuthenticationContext([event]), isChallengeAnswered: true, rememberMe: false, device: nil,
                    ifOvertaken: .challengeRefused))
            if enrolment.replacesFactors { await forgetNetworks(of: account) }
            return recovered
        }
    }

    /// Stores an enrolment.
    ///
    /// - Parameter refusal: The refusal if the account has changed since the request was authorized.
    /// - Returns: `true` if the recovery codes of the enrolment are the account's now.
    func store(_ enrolment: FactorEnrolment, overtakenBy refusal: AuthError) async throws -> Bool {
        let (account, session) = (enrolment.factor.account, enrolment.session)
        do {
            switch try await ports.store.enrol(enrolment) {
            case .enrolled(let storedRecoveryCodes):
                ports.notificationSealer.wake()
                return storedRecoveryCodes
            case .limitReached: throw Refused(.factorLimitReached, account: account, session: session)
            case .overtaken: throw Refused(refusal, account: account, session: session)
            }
        } catch StoreRefusal.alreadySpent {
            throw Refused(.notFound, account: account, session: session)
        }
    }

    func newRecoveryCodes() -> [RecoveryCode] { (0..<RecoveryCode.count).map { _ in RecoveryCode(ports.system) } }

    func hashes(of codes: [RecoveryCode], _ account: AccountID) -> [[UInt8]] {
        codes.map { $0.hash(for: account, in: app.name, keys: ports.keys) }
    }

    /// Returns a keyed hash of the ids of an account's factors, in whatever order.
    ///
    /// - Parameter parts: The parts that come before the ids.
    func digest(of enrolled: EnrolledFactors, after parts: [String], for purpose: KeyRing.Purpose) -> [UInt8] {
        ports.keys.digest(parts + enrolled.factors.map(\.id.text).sorted(), for: purpose, app: app.name)
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
