public import OstiaryCore

extension ProviderArrival {
    /// The username that an account's label becomes; nil where it stays. A provider that says less this time renames no
    /// account: not to the email of one that was called otherwise, and never to the subject.
    public func label(after account: Account) -> Username? {
        guard !hasUniqueUsernames, !usernames.isEmpty else { return nil }
        if let preferred = identity.preferredUsername.flatMap({ try? Username($0) }) { return preferred }
        guard let email = identity.email, let name = account.username, let old = account.email,
            name.canonical.utf8.elementsEqual(old.canonical.utf8)
        else { return nil }
        return try? Username(email.text)
    }
}
