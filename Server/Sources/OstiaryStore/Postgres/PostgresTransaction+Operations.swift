import Foundation
import OstiaryEngine
import OstiaryPostgres

extension PostgresTransaction {
    /// The result of beginning an operation: its first run or a repetition.
    enum OperationStart: Hashable, Sendable {
        case first
        /// An earlier try committed, with this answer.
        case repeated(answer: String?)
    }

    /// Begins an operation. Must be the first write of a transaction. Waits for an earlier try that is still in
    /// progress.
    func begin(_ operation: WriteOperation) async throws -> OperationStart {
        let begun = try await run(
            "INSERT INTO operation (id, done_at) VALUES ($1::uuid, $2) ON CONFLICT (id) DO NOTHING",
            [operation.id, operation.at.milliseconds])
        guard begun.affected == 0 else { return .first }
        let answer = try await run("SELECT answer FROM operation WHERE id = $1::uuid", [operation.id])
        return .repeated(answer: try answer.value { try $0.optionalText() } ?? nil)
    }

    /// Stores the answer for repetitions.
    func remember(_ answer: String, of operation: WriteOperation) async throws {
        try await run("UPDATE operation SET answer = $1 WHERE id = $2::uuid", [answer, operation.id])
    }
}
