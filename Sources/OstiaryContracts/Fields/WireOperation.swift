public import OstiaryCore

/// An operation with a wire representation. Each `init(_:)` is the inverse of its `fields`.
public protocol WireOperation: AuthOperation where Answer: WireAnswer {
    /// The parameters by canonical field name.
    var fields: Fields { get }
    /// Creates the operation from the fields of a request.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable; each operation documents its
    ///   further cases.
    init(_ fields: Fields) throws(AuthError)
}

/// An answer with a wire representation. Each `init(_:)` is the inverse of its `fields`.
public protocol WireAnswer: Hashable, Sendable {
    /// The content by canonical field name.
    var fields: Fields { get }
    /// Creates the answer from its fields.
    ///
    /// - Throws: `AuthError.invalid` for a field that is missing or not acceptable.
    init(_ fields: Fields) throws(AuthError)
}

extension OperationKind {
    /// The type that implements this operation.
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

    /// The requirement for an access token in the `Authorization` header.
    public var authorization: Authorization {
        switch self {
        case .currentUser, .updateProfile, .changePassword, .deleteAccount, .listSessions, .endSession,
            .issueSigningKey:
            .required
        case .signOut: .optional
        default: .none
        }
    }

    /// A requirement for an access token: ignored, accepted if present, or mandatory.
    public enum Authorization: Hashable, Sendable { case none, optional, required }
}
