import OstiaryCore

/// The result of an authentication: the account, and the parameters of its new session.
struct Authentication: Sendable {
    var account: Account
    /// The method by which the sign-in began; `nil` if the operation is no sign-in.
    var method: String?
    /// The password that was right; `nil` for another method, and where an external credential provider judged it.
    var password: Secret<String>? = nil
    /// The second factor that completes the sign-in, or stands in for it; `nil` for none.
    var factor: AuthenticationMethod?
    /// `true` if the operation created the account.
    var isNewAccount = false
    /// `true` if the sign-in was assessed where the person authenticated: see ``ProviderDescription/isAssessed``.
    var isAssessed = false
    /// The methods by which the person authenticated.
    var context: AuthenticationContext
    /// `true` if the second factor was asked for and answered, by whatever method.
    var isChallengeAnswered = false
    var rememberMe: Bool
    var device: DeviceInfo?
    /// The id of the new session; `nil` for a random one.
    var session: SessionID? = nil
    /// Sealed bytes to keep with the session.
    var attachment: [UInt8]? = nil
    /// `false` if the caller is not the person's device, so that the account does not recognize it.
    var recognizesDevice = true
    /// The remembered device that has taken the place of the factor; `nil` for none. Its secret is used up with the sign-in.
    var rememberedDevice: RecognizedDevice? = nil
    /// The permission of the device to sign in without a factor from now on; `nil` to leave it as it is.
    var remembered: RecognizedDevice.Remembered? = nil
    /// The factor that the sign-in adds; `nil` for none. It is stored together with the session.
    var enrolment: FactorEnrolment? = nil
    /// The risk of the sign-in at an earlier step; `nil` for the first one.
    var pendingRisk: PendingRisk? = nil
    /// The risk of the sign-in; `nil` where it is not assessed.
    var risk: SignInRisk? = nil
    /// The thumbprint of the key with whose proof the sign-in began; `nil` without one.
    var boundKey: String? = nil
    /// The refusal if the account was disabled or its credentials changed in the meantime.
    var ifOvertaken = AuthError.wrongCredentials

    var attribution: AttemptAttribution {
        AttemptAttribution(
            method: method, factor: factor?.factorName, isNewAccount: isNewAccount, risk: risk?.assessment)
    }
}

/// An operation that authenticates a person. ``SessionOpeningHandler`` performs what follows the authentication, which
/// all of them share.
protocol AuthenticationHandler: Sendable {
    static var action: OperationKind { get }
    /// The identifier whose account is tried, known or not; `nil` where the secret presented names no account.
    var identifier: Identifier? { get }
    var attempts: Attempts { get }
    /// The thumbprint of the key with whose proof the sign-in began, which the operation requires again; `nil` for none.
    var boundKey: String? { get }
    /// The attribution of an attempt that is refused before its own is known.
    func attribution(in engine: AuthEngine) -> AttemptAttribution
    func authenticate(in engine: AuthEngine) async throws -> Authentication
}

extension AuthenticationHandler {
    var identifier: Identifier? { nil }
    var boundKey: String? { nil }
    var attempts: Attempts { Attempts(kind: Self.action.description.attempts, identifier: identifier) }
    func attribution(in engine: AuthEngine) -> AttemptAttribution { AttemptAttribution() }
}

/// Assesses the risk of a sign-in, asks the person for a second factor where one is due, opens a session, and issues its first
/// tokens. The only caller of ``AuthEngine/openSession(_:)``.
struct SessionOpeningHandler<Authenticating: AuthenticationHandler>: OperationHandler {
    let authenticator: Authenticating

    static var action: OperationKind { Authenticating.action }
    var attempts: Attempts { authenticator.attempts }

    func perform(in engine: AuthEngine) async throws -> Outcome<SignedIn> { try await open(in: engine).outcome }

    func attribution(in engine: AuthEngine) -> AttemptAttribution { authenticator.attribution(in: engine) }

    func open(in engine: AuthEngine) async throws -> OpenedSession {
        // Before anything is judged or redeemed: a client repeats its request with another proof.
        let proof = try engine.proofOfNewKey(continuing: authenticator.boundKey)
        return try await complete(in: engine, boundTo: proof?.thumbprint) {
            try await engine.openSession($0, boundBy: proof)
        }
    }

    /// Authenticates the person, assesses the risk, and asks for a second factor where one is due.
    ///
    /// - Parameters:
    ///   - key: The thumbprint of the key that the caller has proved; `nil` for none.
    ///   - completion: Completes the authentication: opens its session, or stores what it allows without one. Returns
    ///     `nil` if another sign-in has used the secret of the remembered device.
    func complete<Value: Sendable>(
        in engine: AuthEngine, boundTo key: String? = nil, _ completion: (Authentication) async throws -> Value?
    ) async throws -> Value {
        let authentication = try await assessed(in: engine, boundTo: key)
        // After the place was recorded, or the sign-in was refused: both change the account's history.
        defer { engine.checkInBackground(authentication) }
        return try await engine.attributing(to: authentication.attribution) {
            try engine.refuseRisk(of: authentication)
            let complete = try await engine.requireSecondFactor(of: authentication)
            guard let value = try await completion(complete) else {
                // The device is asked for the factor, since its secret is used up.
                _ = try await engine.requireSecondFactor(of: authentication)
                throw authentication.ifOvertaken
            }
            engine.noteSuccess(of: complete)
            await engine.recordPlace(of: complete)
            await engine.settleNotice(of: complete)
            return value
        }
    }

    private func assessed(in engine: AuthEngine, boundTo key: String?) async throws -> Authentication {
        var authentication: Authentication
        do { authentication = try await authenticator.authenticate(in: engine) } catch let refused as Refused {
            try await engine.equalizeRefusal(refused, identifier: authenticator.identifier)
            throw refused
        }
        authentication.boundKey = key
        authentication.risk = try await engine.attributing(to: authentication.attribution) {
            try await engine.risk(of: authentication, identifier: authenticator.identifier)
        }
        return authentication
    }
}
