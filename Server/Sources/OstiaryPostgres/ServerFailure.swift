internal import CPQ

/// What an error result says, by code.
struct ServerFailure {
    let error: PostgresError
    /// Whether the server closes the connection after it.
    let endsConnection: Bool

    init(_ result: ServerResult) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result.pointer, code).map { String(cString: $0) } }
        let severity = field(diagnosticSeverity)
        endsConnection = severity == "FATAL" || severity == "PANIC"
        // libpq's own failures have no code.
        guard let code = field(diagnosticCode) else {
            error = .unknownOutcome("the answer cannot be read")
            return
        }
        // The one text that UTF-8 has and PostgreSQL does not.
        error =
            code == "22021" ? .unkeepable : .refused(SQLState(code), constraint: field(diagnosticConstraint))
    }
}

// Macros of libpq's that are characters, which Swift does not import. Source: postgres_ext.h.
let diagnosticSeverity = Int32(UInt8(ascii: "V"))
let diagnosticCode = Int32(UInt8(ascii: "C"))
let diagnosticConstraint = Int32(UInt8(ascii: "n"))
let diagnosticSourceFunction = Int32(UInt8(ascii: "R"))
