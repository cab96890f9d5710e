import Foundation
import GRDB
import OstiaryEngine

/// An SQLite store opened read-only. Its lock keeps servers and commands from opening it meanwhile.
final class CopySource: Sendable {
    let path: String
    private let file: DatabaseFile
    private let database: DatabaseQueue

    /// - Throws: ``StoreError`` if the file is in use or is not a database of this version; ``StoreCopyProblem``.
    init(path: String) throws {
        // Checked before the lock creates a file beside it.
        guard FileManager.default.fileExists(atPath: path) else { throw StoreCopyProblem.noSource(path: path) }
        let path = DatabaseFile.realPath(path)
        let file = try DatabaseFile(locking: path)
        guard try file.isPresent() else { throw StoreCopyProblem.noSource(path: path) }
        var configuration = Configuration()
        configuration.label = "ostiary.copy"
        configuration.readonly = true
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            guard try database.read({ try !Schema.steps.hasBeenSuperseded($0) }) else {
                throw StoreError.newerSchema(path: path)
            }
            guard try database.read(Schema.isCurrent) else { throw StoreCopyProblem.olderSource(path: path) }
        } catch {
            throw StoreError.translating(error)
        }
        self.path = path
        self.file = file
    }

    func close() throws {
        try database.close()
        file.unlock()
    }

    func count(_ table: CopiedTable) async throws -> Int {
        try await read { try Int.fetchOne($0, sql: "SELECT count(*) FROM \(table.name)") ?? 0 }
    }

    /// Returns the greatest number that a row of the table ever had; 0 if it had none.
    func greatestNumber(in table: CopiedTable) async throws -> Int64 {
        try await read { try table.greatestNumber(in: $0) }
    }

    /// Returns the months that have audit events, the latest few years of them.
    func auditMonths() async throws -> [AuditMonth] {
        let span = try await read {
            try Row.fetchOne($0, sql: "SELECT min(happened_at), max(happened_at) FROM audit_event").map {
                (first: $0[0] as Int64?, last: $0[1] as Int64?)
            }
        }
        guard let first = span?.first, let last = span?.last else { return [] }
        let months =
            AuditMonth(containing: Date(milliseconds: first))
            .index...AuditMonth(
                containing: Date(milliseconds: last)
            ).index
        return months.suffix(60).map { AuditMonth(index: $0) }
    }

    /// Returns at most `limit` rows in key order, after the row with that key.
    func rows(of table: CopiedTable, after key: [CopiedValue]?, limit: Int) async throws -> [[CopiedValue]] {
        try await read { try table.rows(in: $0, after: key, limit: limit) }
    }

    private func read<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await database.read(body) } catch { throw StoreError.translating(error) }
    }
}
