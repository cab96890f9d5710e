public import OstiaryCore

/// A form of the contract: fields and one button.
public enum AuthForm: String, Hashable, Sendable, CaseIterable {
    /// A form of signing in or registering.
    case signIn, register, confirmRegistration, requestCode, verifyCode, answerChallenge
    /// A form for a forgotten password.
    case requestPasswordReset, resetPassword
    /// A form of the account.
    case updateProfile, changePassword, deleteAccount
    /// A form for a second factor of the account, or for the answer to a step-up.
    case confirmTOTP, renameFactor, stepUp

    /// Returns `true` for a form that leads towards a session.
    var isEntry: Bool {
        switch self {
        case .updateProfile, .changePassword, .deleteAccount, .confirmTOTP, .renameFactor, .stepUp: false
        default: true
        }
    }

    /// Returns `true` if wrong credentials mean a wrong password, because the account is known.
    var checksPassword: Bool {
        self == .changePassword || self == .deleteAccount || self == .confirmRegistration || self == .stepUp
    }

    var operation: OperationKind {
        switch self {
        case .signIn: .signIn
        case .register: .register
        case .confirmRegistration: .confirmRegistration
        case .requestCode: .requestCode
        case .verifyCode: .verifyCode
        case .answerChallenge: .answerChallenge
        case .requestPasswordReset: .requestPasswordReset
        case .resetPassword: .resetPassword
        case .updateProfile: .updateProfile
        case .changePassword: .changePassword
        case .deleteAccount: .deleteAccount
        case .confirmTOTP: .confirmTOTP
        case .renameFactor: .renameFactor
        case .stepUp: .stepUp
        }
    }
}

/// One field of a form.
public struct FormField: Hashable, Sendable {
    /// The entry that holds the typed value.
    public let entry: AuthFields.Entry
    /// The name of the field in contract and server.
    public let field: Field
    /// `true` if the form can be sent without this field.
    public let isOptional: Bool
    /// `true` if the person chooses a new value here, so that the app's rules for new values apply.
    public let isChosen: Bool

    init(_ entry: AuthFields.Entry, _ field: Field, isOptional: Bool = false, isChosen: Bool = false) {
        self.entry = entry
        self.field = field
        self.isOptional = isOptional
        self.isChosen = isChosen
    }
}
