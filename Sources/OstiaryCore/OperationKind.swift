/// The name of an operation: a contract's key for its endpoint, one case for each ``AuthOperation``.
public enum OperationKind: String, CaseIterable, Codable, Hashable, Sendable, CodingKeyRepresentable {
    /// Registration, sign-in with a password or a code, refresh and sign-out.
    case register, confirmRegistration, signIn, requestCode, verifyCode, refresh, signOut
    /// Operations on the account and its password.
    case currentUser, updateProfile, changePassword, requestPasswordReset, resetPassword, deleteAccount
    /// Operations on the account's sessions and their signing keys.
    case listSessions, endSession, issueSigningKey
    /// Operations on the account's recognized devices.
    case listDevices, forgetDevice, requestDeviceLink, redeemDeviceLink
    /// Sign-in in a browser through the app's backend.
    case beginBrowserSignIn, completeBrowserSignIn
    /// Sign-in with a social identity provider.
    case socialConfiguration, beginSocialSignIn, completeSocialSignIn, signInWithIdentityToken
    /// The answer to a further step that a sign-in or a step-up requires, and the request for a step-up.
    case answerChallenge, sendChallengeCode, stepUp
    /// Operations on the account's second factors.
    case listFactors, beginTOTP, confirmTOTP, renameFactor, removeFactor, replaceRecoveryCodes
    /// Operations on passkeys: registration, sign-in, and the options for a challenge and for a new account.
    case beginPasskeyRegistration, registerPasskey, beginPasskeySignIn, signInWithPasskey, beginPasskeyChallenge
    case beginPasskeyAccount
    /// Questions about the account's permissions.
    case listPermissions, checkPermission
    /// The attestation of an app's key.
    case beginAttestation, attestKey
}

extension OperationKind {
    /// The type that implements this operation.
    public var operation: any AuthOperation.Type {
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
        case .listDevices: ListDevices.self
        case .forgetDevice: ForgetDevice.self
        case .requestDeviceLink: RequestDeviceLink.self
        case .redeemDeviceLink: RedeemDeviceLink.self
        case .beginBrowserSignIn: BeginBrowserSignIn.self
        case .completeBrowserSignIn: CompleteBrowserSignIn.self
        case .socialConfiguration: GetSocialConfiguration.self
        case .beginSocialSignIn: BeginSocialSignIn.self
        case .completeSocialSignIn: CompleteSocialSignIn.self
        case .signInWithIdentityToken: SignInWithIdentityToken.self
        case .answerChallenge: AnswerChallenge.self
        case .sendChallengeCode: SendChallengeCode.self
        case .stepUp: StepUp.self
        case .listFactors: ListFactors.self
        case .beginTOTP: BeginTOTP.self
        case .confirmTOTP: ConfirmTOTP.self
        case .renameFactor: RenameFactor.self
        case .removeFactor: RemoveFactor.self
        case .replaceRecoveryCodes: ReplaceRecoveryCodes.self
        case .beginPasskeyRegistration: BeginPasskeyRegistration.self
        case .registerPasskey: RegisterPasskey.self
        case .beginPasskeySignIn: BeginPasskeySignIn.self
        case .signInWithPasskey: SignInWithPasskey.self
        case .beginPasskeyChallenge: BeginPasskeyChallenge.self
        case .beginPasskeyAccount: BeginPasskeyAccount.self
        case .listPermissions: ListPermissions.self
        case .checkPermission: CheckPermission.self
        case .beginAttestation: BeginAttestation.self
        case .attestKey: AttestKey.self
        }
    }

    /// The description of the operation.
    public var description: OperationDescription { operation.description }
}
