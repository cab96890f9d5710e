public import OstiaryCore

extension Account {
    /// Returns `true` if nothing is left to sign in with once a factor is removed: the account has no password, no identity
    /// provider, and no other passkey.
    ///
    /// - Parameter factors: The account's factors.
    public func hasNoWayIn(without factor: FactorID, of factors: [Factor]) -> Bool {
        let passkeys = factors.filter { $0.kind == .passkey }
        return passwordHash == nil && provider == "local" && passkeys.contains { $0.id == factor }
            && passkeys.count == 1
    }
}
