import OstiaryEngine

extension ColumnReader {
    /// The columns that ``accountDetails()`` reads, of a table with the alias `a`.
    ///
    /// - Parameter joined: The aggregate function that joins texts by commas.
    static func detailColumns(joinedBy joined: String) -> String {
        """
        \(accountColumns), a.updated_at, \
        (SELECT y.last_sign_in_at FROM account_activity y WHERE y.app = a.app AND y.account_id = a.id), \
        (SELECT \(joined) FROM factor f WHERE f.app = a.app AND f.account_id = a.id)
        """
    }

    mutating func accountDetails() throws -> AccountDetails {
        let account = try account()
        let (updatedAt, lastSignInAt) = (try optionalDate(), try optionalDate())
        let kinds = try optionalText()?.split(separator: ",").map { try Self.kind(String($0)) } ?? []
        return AccountDetails(
            account: account, updatedAt: updatedAt ?? account.createdAt, lastSignInAt: lastSignInAt,
            factorKinds: Set(kinds).sorted { $0.rawValue < $1.rawValue })
    }

    private static func kind(_ text: String) throws -> Factor.Kind {
        guard let kind = Factor.Kind(rawValue: text) else { throw StoreError.damaged(detail: "factor.kind") }
        return kind
    }
}
