public import Foundation
public import OstiaryCore

extension MemoryStore {
    /// Returns an account's history; without any part for an account that has none.
    public func signInHistory(of account: AccountID, in app: AppName, at now: Date) -> StoredSignInHistory {
        transaction { tables in
            guard let row = tables.apps[app]?.rows[account] else { return StoredSignInHistory() }
            let kept = row.signInHistory.flatMap { $0.expiresAt > now.asStored ? $0.sealed : nil }
            return StoredSignInHistory(lastSignInAt: row.lastSignInAt, sealed: kept)
        }
    }

    /// Replaces an account's sealed history; does nothing if there is no such account.
    public func setSignInHistory(_ sealed: [UInt8], of account: AccountID, in app: AppName, until end: Date) {
        transaction { $0.apps[app]?.rows[account]?.signInHistory = (sealed, end.asStored) }
    }
}
