import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    package func attachment(of session: SessionID, in app: AppName) async throws -> SessionAttachment? {
        try await read(
            """
            SELECT a.bytes, a.version FROM session_attachment a JOIN session s ON s.number = a.session
            WHERE s.id = $1 AND s.app = $2
            """, [session.text, app.text]
        ).value { SessionAttachment(bytes: try $0.bytes(), version: Int(try $0.integer())) }
    }

    package func replaceAttachment(
        of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8]
    ) async throws -> Bool {
        try await replaceAttachment(
            of: session, in: app, version: version, with: bytes, as: WriteOperation(system))
    }

    func replaceAttachment(
        of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8], as operation: WriteOperation
    ) async throws -> Bool {
        let results = try await write([
            PostgresStatement(
                """
                UPDATE session_attachment SET bytes = $1, version = version + 1, written_by = $5::uuid
                WHERE session = (SELECT number FROM session WHERE id = $2 AND app = $3) AND version = $4
                """, [bytes, session.text, app.text, version, operation.id]),
            PostgresStatement(
                """
                SELECT a.version FROM session_attachment a JOIN session s ON s.number = a.session
                WHERE s.id = $1 AND s.app = $2 AND a.written_by = $3::uuid
                """, [session.text, app.text, operation.id]),
        ])
        return !results[1].isEmpty
    }
}
