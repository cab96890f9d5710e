public import OstiaryCore

/// A new password of an account.
public struct AdminPasswordChange: AdminValue {
    /// The password.
    public var password: Secret<String> = Secret("")

    /// The name of the value's schema.
    public static let schemaName = "PasswordChange"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminPasswordChange>] = [
        .required("password", \.password, .secret)
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(password: Secret<String>) {
        self.password = password
    }
}
