public import OstiaryCore

extension Contract {
    /// Returns the endpoint of an operation: as the contract specifies it, and for the rest derived from its rules.
    ///
    /// - Returns: Nil for an operation that the app does not have.
    public func endpoint(for kind: OperationKind) -> Endpoint? {
        guard !without.contains(kind) else { return nil }
        guard var endpoint = endpoints[kind] ?? derivedEndpoint(for: kind) else { return nil }
        endpoint.takes = endpoint.takes ?? derivedTakes(kind)
        endpoint.answers = endpoint.answers ?? derivedAnswer(kind)
        endpoint.status = endpoint.status ?? derivedStatus(kind, endpoint.answers)
        return endpoint
    }

    /// All operations of the app with their endpoints, in the order of ``OstiaryCore/OperationKind``.
    public var operations: [(kind: OperationKind, endpoint: Endpoint)] {
        OperationKind.allCases.compactMap { kind in endpoint(for: kind).map { (kind, $0) } }
    }

    /// Returns the default endpoint of an operation, derived from the kind of identifier that users sign in with.
    private func derivedEndpoint(for kind: OperationKind) -> Endpoint? {
        let takesPasswords = rules.identifier != .subject
        let hasCodes = rules.identifier == .phoneNumber
        return switch kind {
        case .register: takesPasswords ? .post("/register") : nil
        case .confirmRegistration: takesPasswords && !rules.registersWithCode ? .post("/confirm-registration") : nil
        case .signIn: takesPasswords ? .post("/login") : nil
        case .requestCode: hasCodes ? .post("/send-code") : nil
        case .verifyCode: hasCodes ? .post("/verify-code") : nil
        case .refresh: rules.refresh != nil ? .post("/refresh") : nil
        case .signOut: .post("/logout")
        case .currentUser: .get("/me")
        case .updateProfile: takesPasswords ? Endpoint(.patch, "/me") : nil
        case .changePassword: takesPasswords ? .post("/change-password") : nil
        case .requestPasswordReset: takesPasswords && !hasCodes ? .post("/forgot-password") : nil
        case .resetPassword: takesPasswords ? .post("/reset-password") : nil
        case .deleteAccount: .post("/delete-account")
        case .listSessions: .get("/sessions")
        case .endSession: Endpoint(.delete, "/sessions/{sessionId}")
        case .issueSigningKey: .post("/signing-key")
        case .beginBrowserSignIn: takesPasswords ? nil : .get("/login")
        case .completeBrowserSignIn: takesPasswords ? nil : .post("/token")
        case .beginSocialSignIn: takesPasswords ? .post("/social/{provider}") : nil
        case .completeSocialSignIn: takesPasswords ? .post("/social-callback") : nil
        case .signInWithIdentityToken: takesPasswords ? .post("/social/{provider}/identity-token") : nil
        case .answerChallenge: takesPasswords ? .post("/challenge") : nil
        case .socialConfiguration: nil
        }
    }

    /// The field that carries the identifier that users sign in with.
    var identifierField: Field {
        switch rules.identifier {
        case .email: .email
        case .phoneNumber: .phoneNumber
        case .username, .subject: .username
        }
    }

    private func derivedTakes(_ kind: OperationKind) -> [FieldUse] {
        switch kind {
        case .register:
            [.required(identifierField)] + (rules.identifier == .username ? [.optional(.email)] : [])
                + [.required(.password)] + (rules.registersWithCode ? [.required(.code)] : [])
                + (rules.identifier == .phoneNumber ? [] : [.optional(.fullName)]) + sessionOptions
        case .confirmRegistration: [.required(.registrationToken), .required(.password)]
        case .signIn: [.required(identifierField), .required(.password)] + sessionOptions
        case .requestCode: [.required(.phoneNumber)]
        case .verifyCode: [.required(.phoneNumber), .required(.code), .required(.codeSession)]
        case .refresh: [.required(.refreshToken)]
        case .signOut: rules.refresh == nil ? [] : [.optional(.refreshToken)]
        case .updateProfile: [.optional(.fullName)]
        case .changePassword: [.required(.currentPassword), .required(.newPassword)]
        case .requestPasswordReset: [.required(.email)]
        case .resetPassword:
            rules.identifier == .phoneNumber
                ? [.required(.phoneNumber), .required(.code), .required(.password)]
                : [.required(.resetToken), .required(.password)]
        case .deleteAccount: [.optional(.password)]
        case .beginBrowserSignIn: [.required(.redirectUri), .optional(.appChallenge), .optional(.provider)]
        case .completeBrowserSignIn:
            [.required(.authorizationCode), .required(.state), .required(.redirectUri), .optional(.appVerifier)]
        case .completeSocialSignIn: [.required(.authorizationCode), .optional(.state)]
        case .signInWithIdentityToken:
            [.required(.identityToken), .required(.nonce)]
                + (rules.identifier == .phoneNumber ? [] : [.optional(.fullName)])
        case .answerChallenge: [.required(.challengeToken), .required(.answers)]
        case .issueSigningKey: rules.refresh == nil ? [] : [.optional(.refreshToken)]
        case .currentUser, .listSessions, .endSession, .socialConfiguration, .beginSocialSignIn: []
        }
    }

    /// The options of a sign-in, for contracts with two refresh lifetimes.
    private var sessionOptions: [FieldUse] {
        rules.refresh?.shortSeconds == nil ? [] : [.optional(.rememberMe), .optional(.deviceInfo)]
    }

    private func derivedAnswer(_ kind: OperationKind) -> AnswerShape {
        let tokens: [FieldUse] =
            rules.refresh == nil
            ? [.required(.accessToken), .required(.tokenType), .required(.expiresIn)]
            : [.required(.accessToken), .required(.refreshToken), .required(.expiresIn)]
        return switch kind {
        // The same answer as the registration.
        case .confirmRegistration: endpoints[.register]?.answers ?? .fields(tokens + [.optional(.user)])
        // These kinds of sign-in have the same answer as the contract's password sign-in.
        case .completeSocialSignIn, .signInWithIdentityToken, .answerChallenge:
            endpoints[.signIn]?.answers ?? .fields(tokens + [.optional(.user)])
        case .register, .signIn, .completeBrowserSignIn:
            .fields(tokens + [.optional(.user)])
        case .refresh: .fields(tokens)
        // The session continues as after a refresh.
        case .changePassword: endpoints[.refresh]?.answers ?? .fields(tokens)
        case .requestCode: .fields([.required(.codeSession)])
        case .verifyCode: .fields([.required(.verificationToken)])
        case .currentUser, .updateProfile: .fields(user)
        case .requestPasswordReset: .message("Password reset instructions sent to your email")
        case .resetPassword: .message("Password reset successful")
        case .listSessions: .fields([.required(.sessions)])
        case .issueSigningKey: .fields([.required(.keyId), .required(.signingKey)])
        case .socialConfiguration: .fields([.required(.domain), .required(.clientId), .required(.audience)])
        case .beginSocialSignIn: .fields([.required(.oauthUrl)])
        case .beginBrowserSignIn: .redirect
        case .signOut, .deleteAccount, .endSession: .nothing
        }
    }

    /// `true` if a password change answers with the tokens with which the session continues.
    public var answersPasswordChangeWithTokens: Bool {
        guard case .fields(let uses) = endpoint(for: .changePassword)?.answers else { return false }
        return uses.contains { $0.field == .accessToken }
    }

    private func derivedStatus(_ kind: OperationKind, _ answer: AnswerShape?) -> Int {
        switch (kind, answer) {
        case (.register, _), (.confirmRegistration, _): 201
        case (_, .redirect): 302
        case (_, .nothing): envelope == nil ? 204 : 200
        default: 200
        }
    }
}
