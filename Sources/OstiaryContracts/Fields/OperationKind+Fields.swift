import OstiaryCore

/// The fields that one half of an operation must and can carry.
struct CarriedFields {
    var needs: Set<Field>
    var knows: Set<Field>

    /// - Parameter also: What it knows beyond what it needs.
    init(_ needs: Set<Field>, also: Set<Field> = []) {
        self.needs = needs
        self.knows = needs.union(also)
    }
}

extension OperationKind {
    /// What a request carries besides the access token in its header.
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

    /// What an answer carries where it carries fields; nil for an operation that only succeeds.
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
