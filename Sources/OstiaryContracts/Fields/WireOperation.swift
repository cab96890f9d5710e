public import OstiaryCore

/// An operation that can cross the wire. Each `init(_:)` is the inverse of its `fields`.
public protocol WireOperation: AuthOperation where Answer: WireAnswer {
    var fields: Fields { get }
    init(_ fields: Fields) throws(AuthError)
}

/// An answer that can cross the wire.
public protocol WireAnswer: Hashable, Sendable {
    var fields: Fields { get }
    init(_ fields: Fields) throws(AuthError)
}

extension OperationKind {
    /// The type that carries this operation.
    public var operation: any WireOperation.Type {
        switch self {
        case .register: Register.self
        case .confirmRegistration: ConfirmRegistration.self
        case .signIn: SignIn.self
        case .requestCode: RequestCode.self
        case .verifyCode: VerifyCode.self
        case .refresh: Refresh.self
        case .signOut: SignOut.self
        case .currentUser: CurrentUser.self
        case .updateProfile: UpdateProfile.self
        case .changePassword: ChangePassword.self
        case .requestPasswordReset: RequestPasswordReset.self
        case .resetPassword: ResetPassword.self
        case .deleteAccount: DeleteAccount.self
        case .listSessions: ListSessions.self
        case .endSession: EndSession.self
        case .issueSigningKey: IssueSigningKey.self
        case .beginBrowserSignIn: BeginBrowserSignIn.self
        case .completeBrowserSignIn: CompleteBrowserSignIn.self
        case .socialConfiguration: GetSocialConfiguration.self
        case .beginSocialSignIn: BeginSocialSignIn.self
        case .completeSocialSignIn: CompleteSocialSignIn.self
        case .signInWithIdentityToken: SignInWithIdentityToken.self
        case .answerChallenge: AnswerChallenge.self
        }
    }

    /// Whether the operation is for signed-in people; they show their access token in the Authorization header.
    public var authorization: Authorization {
        switch self {
        case .currentUser, .updateProfile, .changePassword, .deleteAccount, .listSessions, .endSession,
            .issueSigningKey:
            .required
        case .signOut: .optional
        default: .none
        }
    }

    public enum Authorization: Hashable, Sendable { case none, optional, required }
}
