import OstiaryContracts
public import OstiaryCore

/// The level and the age of the session's authentication. Source: RFC 9470.
extension AuthClient {
    /// Returns the authentication of the session if it has the level and is recent enough. Otherwise the client's
    /// ``StepUpHandler`` is asked first.
    ///
    /// - Parameters:
    ///   - acr: The required level; nil for any.
    ///   - maxAge: The maximum age of the authentication, rounded down to seconds; nil for any age.
    /// - Throws: Without a handler, ``ClientError/refused(_:)`` with `AuthError.stepUpRequired`: answer its challenge with
    ///   ``answerStepUp(_:with:)``.
    public func stepUp(
        acr level: AuthenticationLevel? = nil, maxAge: Duration? = nil
    ) async throws(ClientError) -> SessionAuthentication {
        let seconds = maxAge.map { Int($0.components.seconds) }
        return try await authorized { StepUp(accessToken: $0, level: level, maximumAgeSeconds: seconds) }.answer
    }

    /// Raises the authentication of the session with the answer to a challenge of `AuthError.stepUpRequired`. Then repeat
    /// what was refused.
    ///
    /// - Parameter answers: The user's answers by method.
    /// - Throws: ``ClientError/refused(_:)`` with `AuthError.wrongCredentials` or `AuthError.codeRefused` for a wrong answer;
    ///   with `AuthError.stepUpRequired` and the next challenge if the answer was right and does not suffice; with
    ///   `AuthError.challengeRefused` for a challenge that has expired.
    public func answerStepUp(
        _ challenge: Challenge, with answers: [ChallengeMethod: String]
    ) async throws(ClientError) {
        let answers = Dictionary(uniqueKeysWithValues: answers.map { ($0.key.rawValue, Secret($0.value)) })
        try await raise { AnswerChallenge(challengeToken: challenge.token, answers: answers, accessToken: $0) }
    }

    /// Raises the authentication of the session with a passkey, as the answer to a challenge of
    /// `AuthError.stepUpRequired`. Then repeat what was refused.
    ///
    /// - Throws: The errors of ``answer(_:withPasskeyFrom:)``; ``ClientError/refused(_:)`` with
    ///   `AuthError.challengeRefused` for a challenge that has expired.
    public func answerStepUp(
        _ challenge: Challenge, withPasskeyFrom provider: any PasskeyCredentialProvider
    ) async throws(ClientError) {
        let credential = try await assertion(for: challenge, from: provider)
        try await raise { AnswerChallenge(challengeToken: challenge.token, credential: credential, accessToken: $0) }
    }

    /// The handler of the options; `nil` if the app handles step-ups itself.
    public var stepUpHandler: (any StepUpHandler)? { options.stepUpHandler }

    private func raise(_ answer: @Sendable (Secret<String>) -> AnswerChallenge) async throws(ClientError) {
        let (signedIn, token) = try await performAuthorized(answer, as: keeper.token())
        await keeper.keep(signedIn.tokens, insteadOf: token)
    }
}

extension AuthClient {
    /// Performs a call of the signed-in user. If the server requires a step-up and the app has a handler, asks the handler
    /// and performs the call once more.
    ///
    /// - Parameter call: Receives a token of the user whose call it is. Another user may have signed in in the meantime.
    func steppingUp<Value: Sendable>(
        _ call: @Sendable (IssuedToken) async throws(ClientError) -> Value
    ) async throws(ClientError) -> Value {
        let owner = try await keeper.token()
        guard let handler = options.stepUpHandler, !StepUpSlot.isInsideHandler else { return try await call(owner) }
        var isRaised = false
        while true {
            do {
                return try await call(owner)
            } catch .refused(.stepUpRequired(let requirement)) where !isRaised {
                // A step-up for another request may have required less.
                isRaised = try await stepUpSlot.run { () async throws(ClientError) in
                    try await self.stepUp(requirement, by: handler)
                }
            }
        }
    }

    private func stepUp(
        _ stated: StepUpRequirement, by handler: any StepUpHandler
    ) async throws(ClientError) {
        var requirement = stated
        if requirement.challenge == nil {
            // The answer of the app's own API states the requirement alone.
            let operation = { @Sendable token in
                StepUp(
                    accessToken: token, level: stated.level, maximumAgeSeconds: stated.maximumAgeSeconds)
            }
            do {
                _ = try await performAuthorized(operation, as: keeper.token())
                return
            } catch .refused(.stepUpRequired(let complete)) {
                requirement = complete
            }
        }
        // Each right answer leaves fewer methods to ask for.
        for _ in 0..<Self.maximumAnswersPerStepUp {
            guard requirement.challenge != nil else { break }
            do {
                return try await handler.stepUp(requirement, with: self)
            } catch .refused(.stepUpRequired(let next)) {
                requirement = next
            }
        }
        throw .refused(.stepUpRequired(requirement))
    }

    private static let maximumAnswersPerStepUp = 4
}

extension StepUpRequirement {
    /// Reads the requirement that a protected resource states; nil for an answer that states none. Source: RFC 9470 §3.
    init?(statedBy answer: WireResponse) {
        guard answer.status == 403, let header = answer.headers["www-authenticate"], header.isShortASCII(atMost: 1024),
            header.hasPrefix("Bearer "), header.contains("error=\"insufficient_user_authentication\"")
        else { return nil }
        self.init(challenge: nil, header: header)
    }
}
