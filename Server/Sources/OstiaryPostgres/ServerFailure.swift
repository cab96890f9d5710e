internal import CPQ

/// The content of an error result, by its codes.
struct ServerFailure {
    let error: PostgresError
    /// `true` if the server closes the connection after it.
    let endsConnection: Bool

    init(_ result: ServerResult) {
        func field(_ code: Int32) -> String? { PQresultErrorField(result.pointer, code).map { String(cString: $0) } }
        let severity = field(diagnosticSeverity)
        endsConnection = severity == "FATAL" || severity == "PANIC"
        // libpq's own errors have no code.
        guard let code = field(diagnosticCode) else {
            error = .unknownOutcome("the answer cannot be read")
            return
        }
        // NUL, the one character that UTF-8 has and PostgreSQL cannot store.
        error =
            code == "22021" ? .unkeepable : .refused(SQLState(code), constraint: field(diagnosticConstraint))
    }
}

// Macros of libpq with character values, which Swift does not import. Source: postgres_ext.h.
let diagnosticSeverity = Int32(UInt8(ascii: "V"))
let diagnosticCode = Int32(UInt8(ascii: "C"))
let diagnosticConstraint = Int32(UInt8(ascii: "n"))
let diagnosticSourceFunction = Int32(UInt8(ascii: "R"))
