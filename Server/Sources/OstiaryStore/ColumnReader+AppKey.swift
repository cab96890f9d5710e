import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    static var appKeyColumns: String { "app, id, public_key, app_id, counter, created_at, kept_until" }

    /// Reads ``appKeyColumns``.
    mutating func appKey() throws -> AppKey {
        AppKey(
            app: try value(AppName.init), id: try bytes(), publicKey: try bytes(), appID: try text(),
            counter: UInt32(clamping: try integer()), createdAt: try date(), keptUntil: try date())
    }
}
