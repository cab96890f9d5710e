import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Returns the account with that id and its details; nil if the app has none.
    public func details(of id: AccountID, in app: AppName) -> AccountDetails? {
        transaction { $0.apps[app]?.rows[id]?.details }
    }

    /// Returns the next accounts of a list.
    public func accounts(
        from source: AccountSource, in app: AppName, after position: AccountPosition?, limit: Int
    ) -> [ListedAccount] {
        let listed = transaction { tables in
            (tables.apps[app]?.rows.values.map { $0 } ?? []).map { row in
                ListedAccount(
                    details: row.details, position: source.position(of: row.account, number: Int64(row.number)))
            }
        }
        let found = listed.filter { entry in
            source.contains(entry.details) && (position.map { $0.precedes(entry.position) } ?? true)
        }
        return Array(found.sorted { $0.position.precedes($1.position) }.prefix(limit))
    }

    /// Returns sessions of an account, those that have ended too, in the order in which they were opened.
    public func sessionHistory(
        of account: AccountID, in app: AppName, after position: Int?, limit: Int
    ) -> [(position: Int, session: Session)] {
        transaction { tables in
            let rows = (tables.apps[app]?.rows[account]?.sessions ?? []).compactMap { tables.sessions[$0] }
            return rows.filter { $0.number > position ?? 0 }.sorted { $0.number < $1.number }.prefix(limit)
                .map { (position: $0.number, session: $0.session) }
        }
    }
}

extension AccountTable.Row {
    fileprivate var details: AccountDetails {
        AccountDetails(
            account: account, updatedAt: updatedAt ?? account.createdAt, lastSignInAt: lastSignInAt,
            factorKinds: Set(factors.map(\.kind)).sorted { $0.rawValue < $1.rawValue })
    }
}
