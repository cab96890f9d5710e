import Foundation
import OstiaryEngine
import OstiaryPostgres

/// One call that writes, by whose id its transaction is known again when an answer was lost and it is repeated.
struct WriteOperation: Sendable {
    let id: String
    let at: Date

    init(_ surroundings: Surroundings) {
        id = surroundings.uuid()
        at = surroundings.now()
    }
}

extension PostgresTransaction {
    /// Whether an operation is being done for the first time.
    enum Beginning: Hashable, Sendable {
        case first
        /// An earlier try committed, with this answer.
        case repeated(answer: String?)
    }

    /// To be the first thing that a transaction writes. Waits for an earlier try that is still under way.
    func begin(_ operation: WriteOperation) async throws -> Beginning {
        let begun = try await run(
            "INSERT INTO operation (id, done_at) VALUES ($1::uuid, $2) ON CONFLICT (id) DO NOTHING",
            [operation.id, operation.at.milliseconds])
        guard begun.affected == 0 else { return .first }
        let answer = try await run("SELECT answer FROM operation WHERE id = $1::uuid", [operation.id])
        return .repeated(answer: try answer.value { try $0.optionalText() } ?? nil)
    }

    /// Keeps what a repetition answers with.
    func remember(_ answer: String, of operation: WriteOperation) async throws {
        try await run("UPDATE operation SET answer = $1 WHERE id = $2::uuid", [answer, operation.id])
    }
}

/// Undoes a transaction that has found that there is nothing to do.
struct NothingDone: Error {}
