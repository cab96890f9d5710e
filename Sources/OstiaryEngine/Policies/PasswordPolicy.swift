public import OstiaryCore

/// Which passwords an app of this server takes: those that every app's own rule takes, except more that many people use.
public struct PasswordPolicy: Hashable, Sendable {
    private var rule: PasswordRule

    /// Unicode code points.
    public var minimumLength: Int {
        get { rule.minimumLength }
        set { rule.minimumLength = newValue }
    }

    public init(minimumLength: Int = PasswordRule().minimumLength) {
        rule = PasswordRule(minimumLength: minimumLength)
    }

    /// - Parameter own: What the person is called: email, username, phone number, name, and the app's name.
    /// - Returns: What is wrong with the password; nil if nothing is.
    public func problem(with password: Secret<String>, own: [String]) -> FieldProblem? {
        rule.problem(with: password, own: own, isCommon: FurtherCommonPasswords.contains)
    }
}

extension Account {
    /// What a password of this account may not be.
    var ownNames: [String] { Self.ownNames(app, email, username, phoneNumber, fullName) }

    static func ownNames(
        _ app: AppName, _ email: EmailAddress?, _ username: Username?, _ phoneNumber: PhoneNumber?,
        _ fullName: PersonName?
    ) -> [String] {
        PasswordRule.ownNames(
            app: app.text, email: email, username: username, phoneNumber: phoneNumber, fullName: fullName)
    }
}
