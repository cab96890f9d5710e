import OstiaryCore

/// What a person has typed. It prints nothing of it.
public struct AuthFields: Hashable, Sendable {
    /// What people sign in with: an email address, a phone number or a username, as the contract says.
    public var identifier = ""
    /// Where the app asks for an email address besides a username.
    public var email = ""
    /// The password that they have, or choose when they register.
    public var password = ""
    /// The password that replaces another.
    public var newPassword = ""
    public var name = ""
    public var code = ""
    /// What came with a mail, to set a new password.
    public var resetToken = ""
    /// What came with a mail, to finish a registration.
    public var registrationToken = ""
    public var rememberMe = false

    public init() {}

    /// One place to type at.
    public enum Entry: String, Hashable, Sendable, CaseIterable {
        case identifier, email, password, newPassword, name, code, resetToken, registrationToken, rememberMe
    }

    /// The text of an entry; empty for the one that holds none.
    public subscript(entry: Entry) -> String {
        switch entry {
        case .identifier: identifier
        case .email: email
        case .password: password
        case .newPassword: newPassword
        case .name: name
        case .code: code
        case .resetToken: resetToken
        case .registrationToken: registrationToken
        case .rememberMe: ""
        }
    }

    /// Forgets what nobody but the person should know.
    mutating func forgetSecrets() {
        password = ""
        newPassword = ""
        code = ""
        resetToken = ""
        registrationToken = ""
    }
}

extension AuthFields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "<what was typed>" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}
