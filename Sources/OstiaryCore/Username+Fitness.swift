extension Username {
    /// Returns `true` if this username may be chosen in an app with the given rules. An account that has another one still signs in.
    ///
    /// Invisible characters are rejected: the name would look like another one.
    ///
    /// If tokens carry the username as subject, a `|` is rejected: identity providers' subjects have that form
    /// (`auth0|123`), and a service that reads the token could confuse the two.
    public func isFit(for rules: AppRules) -> Bool {
        !text.hasInvisibleCharacters
            && (rules.claims.subject != .username || !text.utf8.contains(UInt8(ascii: "|")))
    }
}
