public import OstiaryCore

/// The names that accounts sign in by, which a store keeps unique within an app.
extension Username {
    /// The key of a username whose canonical form is another account's, so that it signs in only in this exact
    /// spelling. Begins with a control character, which no username contains.
    public var exactKey: String { "\u{1}\(verbatim)" }

    /// The keys that a sign-in looks up, in order of precedence: the exact spelling first.
    public var lookupKeys: [String] { [exactKey, canonical] }
}

extension NewAccount {
    /// The key that the username signs in by; `nil` for a label.
    public var usernameKey: String? {
        switch usernameUse {
        case .anySpelling: username?.canonical
        case .exactSpelling: username?.exactKey
        case .label: nil
        }
    }

    /// The key that the email signs in by; `nil` unless the account is local.
    public var emailKey: String? { provider == "local" ? email?.canonical : nil }

    /// The keys that must be free besides those that sign in. An account that signs in in one of these exact spellings
    /// would be confused with the new account.
    public var spelledKeys: [String] {
        let usernames = usernameUse == .anySpelling ? username.map { [$0.exactKey, "\u{1}\($0.text)"] } : nil
        let email = emailKey == nil ? nil : self.email.map { "\u{1}\($0.text)" }
        return (usernames ?? []) + [email].compactMap(\.self)
    }

    /// The spelling of the username that is stored.
    public var keptUsername: String? { keepsSpelling ? username?.verbatim : username?.text }
}

extension Account {
    /// Returns `true` if the email signs in. For a provider's account it does only if the account's password was
    /// migrated to this server.
    public var signsInByEmail: Bool { provider == "local" || passwordHash != nil }
}
