/// One statement with its parameters, `$1` and on.
public struct PostgresStatement: Sendable {
    /// To be a literal: every connection keeps each text that it has seen prepared.
    public var sql: String
    public var parameters: [any PostgresParameter]

    public init(_ sql: String, _ parameters: [any PostgresParameter] = []) {
        self.sql = sql
        self.parameters = parameters
    }
}
