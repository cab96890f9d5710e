public import OstiaryCore

/// A screen with something to fill in and a button.
public enum AuthForm: String, Hashable, Sendable, CaseIterable {
    case signIn, register, confirmRegistration, requestCode, verifyCode, answerChallenge
    case requestPasswordReset, resetPassword
    case updateProfile, changePassword, deleteAccount

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
        }
    }
}

/// One field of a form.
public struct FormField: Hashable, Sendable {
    /// Where it is typed.
    public let entry: AuthFields.Entry
    /// What contract and server call it.
    public let field: Field
    public let isOptional: Bool
    /// Whether the person makes it up here, and the app's rules for new ones hold.
    public let isChosen: Bool

    init(_ entry: AuthFields.Entry, _ field: Field, isOptional: Bool = false, isChosen: Bool = false) {
        self.entry = entry
        self.field = field
        self.isOptional = isOptional
        self.isChosen = isChosen
    }
}
