/// A result of the check of a store, without the content of a row.
package struct StoreFinding: Codable, Hashable, Sendable {
    package enum Severity: String, Codable, Sendable { case note, problem }

    package var severity: Severity
    /// A stable name of the kind of finding.
    package var code: String
    /// The table, or the name of an app.
    package var subject: String
    package var count: Int
    package var remedy: String

    package init(_ severity: Severity, code: String, subject: String, count: Int, remedy: String) {
        self.severity = severity
        self.code = code
        self.subject = subject
        self.count = count
        self.remedy = remedy
    }

    static func orphans(_ table: String, _ count: Int) -> StoreFinding {
        StoreFinding(
            .problem, code: "orphan_rows", subject: table, count: count,
            remedy: "The rows refer to rows that are missing. Restore the last backup that has none of them.")
    }
}

/// A store that can examine its own records.
package protocol CheckedStore: BackupSource {
    /// Reads all records and reports what should not be there.
    func findings() async throws -> [StoreFinding]
    /// Returns the number of accounts of each app.
    func accountCounts() async throws -> [(app: String, count: Int)]
}
