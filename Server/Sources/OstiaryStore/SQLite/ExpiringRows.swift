import GRDB

/// The rows of a table that expire, without an index of their times, which every renewal would change.
struct ExpiringRows: Sendable {
    /// The rows that are examined at a time: a search through a million rows would take a core for a second.
    private static let pageSize = 1000

    let start: DatabaseValue
    /// Deletes the row with the key `?1` if it has still expired at `?2`.
    let deletion: String
    private let bounds: String
    private let search: String

    /// - Parameters:
    ///   - key: The column of the primary key, in whose order the table is read.
    ///   - start: A value before all keys.
    ///   - condition: The condition of expiry at `?2`.
    init(
        _ table: String, by key: String = "rowid", after start: DatabaseValue = 0.databaseValue,
        expiring condition: String
    ) {
        self.start = start
        deletion = "DELETE FROM \(table) WHERE \(key) = ?1 AND (\(condition))"
        bounds = """
            SELECT count(*), max(place) FROM (
                SELECT \(key) AS place FROM \(table) WHERE \(key) > ?1 ORDER BY \(key) LIMIT ?2)
            """
        search = "SELECT \(key) FROM \(table) WHERE \(key) > ?1 AND \(key) <= ?3 AND (\(condition)) ORDER BY \(key)"
    }

    /// Returns the keys of the expired rows of one page, and the last key of the page; nil for the last page.
    func page(
        in db: Database, after key: DatabaseValue, expiredAt time: Int64
    ) throws -> (expired: [DatabaseValue], end: DatabaseValue?) {
        let bounds = try Row.fetchOne(db.cachedStatement(sql: bounds), arguments: [key, Self.pageSize])
        guard let bounds, let end: DatabaseValue = bounds[1], !end.isNull else { return ([], nil) }
        let expired = try DatabaseValue.fetchAll(db.cachedStatement(sql: search), arguments: [key, time, end])
        return (expired, bounds[0] == Self.pageSize ? end : nil)
    }
}
