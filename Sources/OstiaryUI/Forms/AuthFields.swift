import OstiaryCore

/// The typed values of all forms. Its description and its mirror contain no value.
public struct AuthFields: Hashable, Sendable {
    /// The identifier for signing in: an email address, a phone number or a username, depending on the contract.
    public var identifier = ""
    /// The email address, in an app that asks for it besides a username.
    public var email = ""
    /// The current password, or the chosen one in a registration.
    public var password = ""
    /// The password that replaces another.
    public var newPassword = ""
    /// The full name.
    public var name = ""
    /// The one-time code.
    public var code = ""
    /// The recovery code in the place of a second factor.
    public var recoveryCode = ""
    /// The name of a second factor.
    public var factorName = ""
    /// The token from a mail, for setting a new password.
    public var resetToken = ""
    /// The token from a mail, for completing a registration.
    public var registrationToken = ""
    /// `true` to request the long refresh lifetime, in a contract with two.
    public var rememberMe = false
    /// `true` to ask no second factor on this device for a time.
    public var rememberDevice = false

    /// Creates empty fields.
    public init() {}

    /// One typed value.
    public enum Entry: String, Hashable, Sendable, CaseIterable {
        /// The property of the same name in ``AuthFields``.
        case identifier, email, password, newPassword, name, code, recoveryCode, factorName, resetToken,
            registrationToken, rememberMe, rememberDevice
    }

    /// The text of an entry; empty for `rememberMe` and `rememberDevice`, which have none.
    public subscript(entry: Entry) -> String {
        switch entry {
        case .identifier: identifier
        case .email: email
        case .password: password
        case .newPassword: newPassword
        case .name: name
        case .code: code
        case .recoveryCode: recoveryCode
        case .factorName: factorName
        case .resetToken: resetToken
        case .registrationToken: registrationToken
        case .rememberMe, .rememberDevice: ""
        }
    }

    /// Empties the passwords, the codes and the tokens.
    mutating func forgetSecrets() {
        password = ""
        newPassword = ""
        code = ""
        recoveryCode = ""
        resetToken = ""
        registrationToken = ""
    }
}

extension AuthFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A fixed text without any typed value.
    public var description: String { "<what was typed>" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// An empty mirror, so that a dump shows no typed value.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
