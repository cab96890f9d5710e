import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    /// Reads `full_at, failures, next_at` of an attempt.
    mutating func attemptRecord() throws -> AttemptRecord {
        AttemptRecord(fullAt: try date(), failures: Int(try integer()), nextAt: try date())
    }

    /// Reads `id, code_hash, expires_at, tries_left` of a code.
    mutating func pendingCode(for recipient: [UInt8], in app: AppName) throws -> PendingCode {
        PendingCode(
            id: try text(), app: app, recipient: recipient, codeHash: try bytes(), expiresAt: try date(),
            triesLeft: Int(try integer()))
    }
}
