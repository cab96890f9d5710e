package import Logging
package import OstiaryEngine
package import OstiaryPostgres

/// Copies all records of an SQLite store into an empty PostgreSQL store.
///
/// Resumable: it can be stopped at any time, and continues after the last row in the target. Holds only a few pages of
/// rows in memory, independent of their number.
package struct StoreCopy: Sendable {
    private let source: CopySource
    private let target: CopyTarget
    private let pageSize: Int

    /// The default page size. A commit costs more than a thousand rows, and repeating a page must not cost seconds.
    package static let usualPageSize = 2000

    /// A table that is equal in both stores.
    package struct Verified: Hashable, Sendable {
        package var table: String
        package var rows: Int
        /// SHA-256 of all rows in key order, in hexadecimal.
        package var checksum: String
    }

    /// The progress of a copy.
    package enum Progress: Hashable, Sendable {
        /// The number of rows in the target, of the total.
        case copied(Int, of: Int)
        /// The number of rows compared on both sides, of the total.
        case verified(Int, of: Int)
    }

    /// Opens both stores and brings the target's schema up to date. The source is locked, and not changed.
    ///
    /// - Throws: ``StoreError``, ``StoreCopyProblem``.
    package init(
        from path: String, to settings: PostgresSettings, system: SystemDependencies, log: Logger,
        pageSize: Int = StoreCopy.usualPageSize
    ) async throws {
        source = try CopySource(path: path)
        target = try await CopyTarget(settings, system: system, log: log)
        self.pageSize = pageSize
    }

    package func close() async throws {
        await target.close()
        try source.close()
    }

    /// Copies the missing rows, then reads all rows on both sides and compares them.
    ///
    /// - Returns: The comparison's result, table by table.
    /// - Throws: ``StoreCopyProblem`` for a target that is not empty and was not begun by a copy, or where a table
    ///   differs in the end; ``StoreError``; `CancellationError`, after which it can be run again.
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
        // Numbers of deleted rows are not assigned again.
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

    /// Copies a table, reading a page while the previous one is written.
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
