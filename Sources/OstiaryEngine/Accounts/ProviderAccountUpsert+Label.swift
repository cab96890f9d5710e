public import OstiaryCore

extension ProviderAccountUpsert {
    /// Returns the username that an account's label becomes at this sign-in; `nil` if it remains. A provider that sends
    /// less than before renames no account: without a preferred username, the label becomes the email only if it was
    /// the previous email, and never the subject.
    public func label(after account: Account) -> Username? {
        guard !hasUniqueUsernames, !usernames.isEmpty else { return nil }
        if let preferred = identity.preferredUsername.flatMap({ try? Username($0) }) { return preferred }
        guard let email = identity.email, let name = account.username, let old = account.email,
            name.canonical.utf8.elementsEqual(old.canonical.utf8)
        else { return nil }
        return try? Username(email.text)
    }
}
