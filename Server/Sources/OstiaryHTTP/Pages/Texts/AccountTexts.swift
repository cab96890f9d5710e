import OstiaryCore

/// The texts of the account page, and of the pages about second factors.
protocol AccountTexts: Sendable {
    // MARK: Challenges

    var confirmSignIn: String { get }
    var confirmPerson: String { get }
    /// The instruction above the field of a method.
    ///
    /// - Parameter isSent: `true` once a code was sent.
    func instruction(for method: ChallengeMethod, isSent: Bool) -> String
    /// The name of a method, as a choice.
    func name(of method: ChallengeMethod) -> String
    /// The label of a method's field.
    func label(of method: ChallengeMethod) -> String
    var otherWays: String { get }
    var next: String { get }
    var sendCode: String { get }
    var sendAnotherCode: String { get }
    /// Returns what is wrong with the answer to a challenge, and what to do next.
    func text(of error: AuthError, answeringBy method: ChallengeMethod) -> String
    var challengeOver: Outcome { get }
    var signInAgain: String { get }
    var lostFactor: String { get }
    func rememberBrowser(days: Int) -> String

    // MARK: Passkeys

    var usePasskey: String { get }
    var signInWithPasskey: String { get }
    var passkeyNeedsScript: String { get }
    var passkeyUnsupported: String { get }
    var passkeyUnavailable: String { get }
    var passkeyCancelled: String { get }
    var passkeyFailed: String { get }
    var passkeyExists: String { get }
    var passkeyRefused: String { get }

    // MARK: Adding factors

    var enrolment: String { get }
    /// - Parameter client: The client that asks for a second factor; nil for the provider.
    func enrolmentLead(for client: String?) -> Phrase
    var addAuthenticator: String { get }
    var authenticatorIntroduction: [String] { get }
    var scanCode: String { get }
    /// The description of the QR code for screen readers.
    var codeDescription: String { get }
    var typeKey: String { get }
    var openInAuthenticator: String { get }
    var confirmAuthenticator: String { get }
    var factorName: String { get }
    var authenticatorName: String { get }
    var passkeyName: String { get }
    var addPasskey: String { get }
    var passkeyIntroduction: String { get }
    var createPasskey: String { get }
    var enrolmentOver: String { get }
    func added(_ method: ChallengeMethod) -> Outcome
    var recoveryCodes: String { get }
    /// - Parameter added: The factor that the codes came with; nil if they replace earlier ones.
    func recoveryCodesLead(added: ChallengeMethod?) -> [String]
    var copy: String { get }
    var copied: String { get }
    var print: String { get }
    var recoveryCodesSaved: String { get }

    // MARK: Account

    var profile: String { get }
    var changeName: String { get }
    var change: String { get }
    var changePassword: String { get }
    var passwordNote: String { get }
    var currentPassword: String { get }
    var passwordReplaced: Outcome { get }
    var save: String { get }
    var backToAccount: String { get }
    var secondFactors: String { get }
    var noFactors: String { get }
    func addedAt(_ time: String) -> Phrase
    func lastUsedAt(_ time: String) -> Phrase
    var notUsedYet: String { get }
    var manage: String { get }
    func manage(_ name: String) -> String
    func recoveryCodes(left: Int) -> String
    var replace: String { get }
    var replaceRecoveryCodes: String { get }
    /// The accessible name of the link, which contains ``replace``.
    var replaceRecoveryCodesName: String { get }
    func recoveryCodeReplacementLead(left: Int) -> [String]
    var changeFactor: String { get }
    var remove: String { get }
    func removalNote(isLast: Bool) -> String
    var sessions: String { get }
    var thisBrowser: String { get }
    func device(_ device: UserAgentSummary) -> String
    func signedInAt(_ time: String) -> Phrase
    var endSession: String { get }
    func endSession(of device: String) -> String
    var recognizedDevices: String { get }
    var noRecognizedDevices: String { get }
    func rememberedUntil(_ time: String) -> Phrase
    var forgetDevice: String { get }
    /// The accessible name of the button, which contains ``forgetDevice``.
    func forgetDevice(_ device: String) -> String
    var connectedApps: String { get }
    var noApps: String { get }
    func knows(_ wishes: Set<HostedPage.Consent.RequestedClaim>) -> String
    func connectedSince(_ time: String) -> Phrase
    var disconnect: String { get }
    func disconnect(_ name: String) -> String
}

extension PageTexts {
    /// Returns why a passkey was refused that signs in or is added, and what to do next.
    func text(ofPasskey error: AuthError) -> String {
        switch error {
        case .wrongCredentials, .credentialRefused, .invalid(.credential, _): passkeyRefused
        case .challengeRefused: passkeyCancelled
        default: text(of: error)
        }
    }
}
