public import OstiaryCore

/// What accounts sign in by: the names that a store keeps unique within an app.
extension Username {
    /// The key, among the names that sign in, of a username whose canonical form is another account's: it signs in in
    /// exactly this spelling. Begins with a control character, which no username holds.
    public var exactKey: String { "\u{1}\(verbatim)" }

    /// The keys that a sign-in looks for, in the order of precedence: the exact spelling sorts first.
    public var lookupKeys: [String] { [exactKey, canonical] }
}

extension NewAccount {
    /// The key that the username signs in by; nil for a label.
    public var usernameKey: String? {
        switch usernameUse {
        case .anySpelling: username?.canonical
        case .exactSpelling: username?.exactKey
        case .label: nil
        }
    }

    /// The key that the email signs in by: only where passwords are ours.
    public var emailKey: String? { provider == "local" ? email?.canonical : nil }

    /// The keys that must be no other account's. Whoever signs in in one exact spelling would be taken for the new account,
    /// and the new account for them.
    public var spelledKeys: [String] {
        let usernames = usernameUse == .anySpelling ? username.map { [$0.exactKey, "\u{1}\($0.text)"] } : nil
        let email = emailKey == nil ? nil : self.email.map { "\u{1}\($0.text)" }
        return (usernames ?? []) + [email].compactMap(\.self)
    }

    /// The spelling of the username that is kept.
    public var keptUsername: String? { keepsSpelling ? username?.verbatim : username?.text }
}

extension Account {
    /// Returns `true` if the email signs in: of a provider's account only one whose password was brought here.
    public var signsInByEmail: Bool { provider == "local" || passwordHash != nil }
}
