/// A statement with its parameters, `$1` and on.
package struct PostgresStatement: Sendable {
    /// The SQL text. It has to be a literal, because every connection keeps each distinct text prepared.
    package var sql: String
    package var parameters: [any PostgresParameter]

    package init(_ sql: String, _ parameters: [any PostgresParameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}
