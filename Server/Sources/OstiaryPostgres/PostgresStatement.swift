/// One statement with its parameters, `$1` and on.
package struct PostgresStatement: Sendable {
    /// To be a literal: every connection keeps each text that it has seen prepared.
    package var sql: String
    package var parameters: [any PostgresParameter]

    package init(_ sql: String, _ parameters: [any PostgresParameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}
