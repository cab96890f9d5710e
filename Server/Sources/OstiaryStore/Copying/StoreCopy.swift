package import Logging
package import OstiaryEngine
package import OstiaryPostgres

/// Copies everything that an SQLite store holds into an empty PostgreSQL store.
///
/// It can be ended at any moment and begun again: it goes on after the last row that is there. Holds a few pages of rows
/// in memory, however many there are.
package struct StoreCopy: Sendable {
    private let source: CopySource
    private let target: CopyTarget
    private let pageSize: Int

    /// A commit costs more than a thousand rows, and one that is repeated should not cost seconds.
    package static let usualPageSize = 2000

    /// A table that is the same in both.
    package struct Verified: Hashable, Sendable {
        package var table: String
        package var rows: Int
        /// SHA-256 of all rows in key order, in hexadecimal.
        package var checksum: String
    }

    /// How far it is.
    package enum Progress: Hashable, Sendable {
        /// So many rows of all are in the target.
        case copied(Int, of: Int)
        /// So many rows of all were read again on both sides.
        case verified(Int, of: Int)
    }

    /// Opens both and brings the target's schema up to date. The source is locked, and not changed.
    ///
    /// - Throws: ``StoreError``, ``StoreCopyProblem``.
    package init(
        from path: String, to settings: PostgresSettings, surroundings: Surroundings, log: Logger,
        pageSize: Int = StoreCopy.usualPageSize
    ) async throws {
        source = try CopySource(path: path)
        target = try await CopyTarget(settings, surroundings: surroundings, log: log)
        self.pageSize = pageSize
    }

    package func close() async throws {
        await target.close()
        try source.close()
    }

    /// Copies what is not there yet, then reads everything on both sides and compares it.
    ///
    /// - Returns: What was compared, table by table.
    /// - Throws: ``StoreCopyProblem`` for a target that is not empty and was not begun by a copy, or where something differs
    ///   in the end; ``StoreError``; `CancellationError`, after which it can be run again.
    package func run(progress: @Sendable (Progress) -> Void) async throws -> [Verified] {
        try await target.begin()
        try await target.keepAuditMonths(try await source.auditMonths())
        let total = try await rowCount()
        var copied = 0
        for table in CopiedTable.all {
            let position = try await target.position(in: table)
            if position != nil { copied += try await target.count(table) }
            progress(.copied(copied, of: total))
            try await copy(table, after: position) { count in
                copied += count
                progress(.copied(copied, of: total))
            }
        }
        var verified: [Verified] = []
        for table in CopiedTable.all {
            let rows = verified.reduce(0) { $0 + $1.rows }
            verified.append(try await verify(table) { progress(.verified(rows + $0, of: total)) })
        }
        // Numbers that were given out and are gone are not given out again.
        for table in CopiedTable.all where table.isNumbered {
            try await target.setNumbering(of: table, above: try await source.greatestNumber(in: table))
        }
        try await target.finish()
        return verified
    }

    private func rowCount() async throws -> Int {
        var count = 0
        for table in CopiedTable.all { count += try await source.count(table) }
        return count
    }

    /// Reads a page while the one before is written.
    private func copy(
        _ table: CopiedTable, after position: [CopiedValue]?, added: (Int) -> Void
    ) async throws {
        var page = try await source.rows(of: table, after: position, limit: pageSize)
        while let last = page.last {
            try Task.checkCancellation()
            async let next = source.rows(of: table, after: table.key(of: last), limit: pageSize)
            try await target.add(page, to: table)
            added(page.count)
            page = try await next
        }
    }

    /// - Throws: ``StoreCopyProblem/different(table:)``.
    private func verify(_ table: CopiedTable, read: @Sendable (Int) -> Void) async throws -> Verified {
        async let original = checksum(table, read: { _ in }) {
            try await source.rows(of: table, after: $0, limit: pageSize)
        }
        let copy = try await checksum(table, read: read) {
            try await target.rows(of: table, after: $0, limit: pageSize)
        }
        guard try await original == copy else { throw StoreCopyProblem.different(table: table.name) }
        return copy
    }

    private func checksum(
        _ table: CopiedTable, read: @Sendable (Int) -> Void,
        page: @Sendable ([CopiedValue]?) async throws -> [[CopiedValue]]
    ) async throws -> Verified {
        var checksum = TableChecksum()
        var key: [CopiedValue]?
        while true {
            try Task.checkCancellation()
            let rows = try await page(key)
            guard let last = rows.last else { break }
            for row in rows { checksum.add(row) }
            read(checksum.rows)
            key = table.key(of: last)
        }
        return Verified(table: table.name, rows: checksum.rows, checksum: checksum.text)
    }
}
