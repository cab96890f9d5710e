extension Username {
    /// Whether somebody may choose this username in an app with such rules.
    ///
    /// Where tokens name people by their username, none with a `|`: that is how identity providers' subjects look
    /// (`auth0|123`), and whoever reads the token could take one for the other.
    public func isFit(for rules: AppRules) -> Bool {
        rules.claims.subject != .username || !text.utf8.contains(UInt8(ascii: "|"))
    }
}
