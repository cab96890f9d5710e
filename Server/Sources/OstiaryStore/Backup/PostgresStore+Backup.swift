import GRDB
import OstiaryEngine
import OstiaryPostgres
import Synchronization

extension PostgresStore: BackupSource {
    /// The time limit of a backup.
    private static let patience = Duration.seconds(24 * 3600)
    private static let pageSize = 2000

    /// Reads every table in one snapshot, writes it to an SQLite database of the same schema, and compares the two.
    package func writeRecords(to path: String) async throws {
        // With the usual deadline, so that an unreachable server is detected in time.
        _ = try await read("SELECT 1")
        let copy = try BackupFile(creating: path)
        let isBegun = Atomic(false)
        do {
            try await copy.makeTables()
            try await snapshot(within: Self.patience) { tx in
                // The pool repeats a transaction whose connection is lost; half of this one is in the file.
                guard !isBegun.exchange(true, ordering: .relaxed) else { throw BackupProblem.interrupted }
                for table in CopiedTable.all {
                    let written = try await Self.copy(table, from: tx, to: copy)
                    guard try await copy.checksum(of: table, pageSize: Self.pageSize) == written else {
                        throw BackupProblem.different(table: table.name)
                    }
                    if table.isNumbered {
                        let number = try await tx.run(table.lastNumber).value { try $0.optionalInteger() } ?? nil
                        try await copy.write { try table.setNumbering(in: $0, above: number ?? 0) }
                    }
                }
            }
            try copy.close()
        } catch {
            try? copy.close()
            throw copy.translating(error)
        }
    }

    /// - Returns: The checksum of the rows that were read.
    private static func copy(
        _ table: CopiedTable, from tx: PostgresTransaction, to copy: BackupFile
    ) async throws -> String {
        var checksum = TableChecksum()
        var key: [CopiedValue]?
        while true {
            try Task.checkCancellation()
            let page = table.pageStatement(after: key, limit: pageSize)
            let rows = try await tx.run(page.sql, page.parameters).map { try CopiedValue.read($0, table.columns) }
            guard let last = rows.last else { return checksum.text }
            for row in rows { checksum.add(row) }
            try await copy.write { try table.add(rows, to: $0) }
            key = table.key(of: last)
        }
    }
}
