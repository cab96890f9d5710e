public import OstiaryCore

/// The purpose of the link in a mail.
public enum MailedLink: Hashable, Sendable {
    /// A password reset, or the confirmation of a registration.
    case passwordReset, registration

    /// The operation that redeems the link's token.
    public var operation: OperationKind {
        switch self {
        case .passwordReset: ResetPassword.kind
        case .registration: ConfirmRegistration.kind
        }
    }

    /// The field of the operation that carries the link's token.
    public var tokenField: Field {
        switch self {
        case .passwordReset: .resetToken
        case .registration: .registrationToken
        }
    }
}
