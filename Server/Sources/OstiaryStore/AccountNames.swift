import OstiaryCore
import OstiaryEngine

extension Username {
    /// The key, among the names that sign in, of a username whose canonical form is another account's: it signs in in
    /// exactly this spelling. Begins with a control character, which no username holds.
    var exactKey: String { "\u{1}\(verbatim)" }

    /// What a sign-in looks for, in the order of precedence: the exact spelling sorts first.
    var keys: [String] { [exactKey, canonical] }
}

extension NewAccount {
    /// What the username signs in by.
    var usernameKey: String? {
        switch usernameUse {
        case .anySpelling: username?.canonical
        case .exactSpelling: username?.exactKey
        case .label: nil
        }
    }

    /// What the email signs in by: only where passwords are ours.
    var emailKey: String? { provider == "local" ? email?.canonical : nil }

    /// The keys that must be no other account's. Whoever signs in in one exact spelling would be taken for the new account,
    /// and the new account for them.
    var spelledKeys: [String] {
        let usernames = usernameUse == .anySpelling ? username.map { [$0.exactKey, "\u{1}\($0.text)"] } : nil
        let email = emailKey == nil ? nil : self.email.map { "\u{1}\($0.text)" }
        return (usernames ?? []) + [email].compactMap(\.self)
    }

    var usernameColumn: String? { keepsSpelling ? username?.verbatim : username?.text }
}
