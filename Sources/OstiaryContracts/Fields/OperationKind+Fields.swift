import OstiaryCore

/// The fields that a request or an answer must and may contain.
struct CarriedFields {
    /// The fields that must be present.
    var needs: Set<Field>
    /// All fields that may be present, including the required ones.
    var knows: Set<Field>

    /// - Parameter also: The fields that are permitted but not required.
    init(_ needs: Set<Field>, also: Set<Field> = []) {
        self.needs = needs
        self.knows = needs.union(also)
    }
}

extension OperationKind {
    /// The fields of a request, besides the access token in its header.
    var requestFields: CarriedFields {
        switch self {
        case .register:
            CarriedFields(
                [.password], also: [.email, .username, .phoneNumber, .fullName, .code, .rememberMe, .deviceInfo])
        case .confirmRegistration: CarriedFields([.registrationToken, .password])
        case .signIn: CarriedFields([.password], also: [.email, .username, .phoneNumber, .rememberMe, .deviceInfo])
        case .requestCode: CarriedFields([.phoneNumber])
        case .verifyCode: CarriedFields([.phoneNumber, .code, .codeSession])
        case .refresh: CarriedFields([.refreshToken])
        case .signOut: CarriedFields([], also: [.refreshToken, .alsoEnding])
        case .updateProfile: CarriedFields([], also: [.fullName])
        case .changePassword: CarriedFields([.currentPassword, .newPassword])
        case .requestPasswordReset: CarriedFields([.email])
        case .resetPassword: CarriedFields([.password], also: [.resetToken, .phoneNumber, .code])
        case .deleteAccount: CarriedFields([], also: [.password])
        case .endSession: CarriedFields([.sessionId])
        case .beginBrowserSignIn: CarriedFields([.redirectUri], also: [.appChallenge, .provider])
        case .completeBrowserSignIn: CarriedFields([.authorizationCode, .state, .redirectUri], also: [.appVerifier])
        case .beginSocialSignIn: CarriedFields([.provider])
        case .completeSocialSignIn: CarriedFields([.authorizationCode], also: [.state])
        case .signInWithIdentityToken:
            CarriedFields([.provider, .identityToken, .nonce], also: [.fullName])
        case .answerChallenge: CarriedFields([.challengeToken, .answers])
        case .issueSigningKey: CarriedFields([], also: [.refreshToken])
        case .currentUser, .listSessions, .socialConfiguration: CarriedFields([])
        }
    }

    /// The fields of an answer; nil for an operation whose answer has none.
    var answerFields: CarriedFields? {
        switch self {
        case .register, .confirmRegistration, .signIn, .completeBrowserSignIn, .completeSocialSignIn,
            .signInWithIdentityToken, .answerChallenge:
            CarriedFields([.accessToken], also: [.refreshToken, .tokenType, .expiresIn, .user])
        case .refresh: CarriedFields([.accessToken], also: [.refreshToken, .tokenType, .expiresIn])
        case .requestCode: CarriedFields([.codeSession])
        case .verifyCode: CarriedFields([.verificationToken])
        case .currentUser, .updateProfile: CarriedFields([.id], also: Self.userFields)
        case .listSessions: CarriedFields([.sessions])
        case .issueSigningKey: CarriedFields([.keyId, .signingKey])
        case .socialConfiguration: CarriedFields([.domain, .clientId, .audience])
        case .beginBrowserSignIn, .beginSocialSignIn: CarriedFields([.oauthUrl])
        case .changePassword: CarriedFields([], also: [.accessToken, .refreshToken, .tokenType, .expiresIn])
        case .signOut, .requestPasswordReset, .resetPassword, .deleteAccount, .endSession: nil
        }
    }

    static let userFields: Set<Field> = [
        .id, .email, .username, .phoneNumber, .fullName, .roles, .isAdmin, .authProvider,
    ]
}
