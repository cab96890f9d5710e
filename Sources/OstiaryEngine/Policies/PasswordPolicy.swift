public import OstiaryCore

/// The requirements for new passwords of an app: those of every app's own rule, and a larger list of common passwords.
public struct PasswordPolicy: Hashable, Sendable {
    private var rule: PasswordRule

    /// The minimum length, in Unicode code points.
    public var minimumLength: Int {
        get { rule.minimumLength }
        set { rule.minimumLength = newValue }
    }

    /// Creates a policy with a minimum length in Unicode code points.
    public init(minimumLength: Int = PasswordRule().minimumLength) {
        rule = PasswordRule(minimumLength: minimumLength)
    }

    /// Returns the reason why a password is not acceptable.
    ///
    /// - Parameter own: Names of the person and the app: email, username, phone number, full name, and the app's name.
    /// - Returns: `nil` if the password is acceptable.
    public func problem(with password: Secret<String>, own: [String]) -> FieldProblem? {
        rule.problem(with: password, own: own, isCommon: FurtherCommonPasswords.contains)
    }
}

extension Account {
    /// The names that a password of this account may not be.
    var ownNames: [String] { Self.ownNames(app, email, username, phoneNumber, fullName) }

    static func ownNames(
        _ app: AppName, _ email: EmailAddress?, _ username: Username?, _ phoneNumber: PhoneNumber?,
        _ fullName: PersonName?
    ) -> [String] {
        PasswordRule.ownNames(
            app: app.text, email: email, username: username, phoneNumber: phoneNumber, fullName: fullName)
    }
}
