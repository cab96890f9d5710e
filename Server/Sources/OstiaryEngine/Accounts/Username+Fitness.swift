import OstiaryCore

extension Username {
    /// Whether somebody may choose this username in an app with such rules.
    ///
    /// Not one that is another person's email address, who could then not register with it. And where tokens name people by
    /// their username, none with a `|`: that is how identity providers' subjects look (`auth0|123`), and whoever reads the
    /// token could take one for the other.
    func isFit(for rules: AppRules, email: EmailAddress?) -> Bool {
        if rules.claims.subject == .username, text.utf8.contains(UInt8(ascii: "|")) { return false }
        guard let address = try? EmailAddress(text) else { return true }
        return address == email
    }
}
