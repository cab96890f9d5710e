import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func attachment(of session: SessionID, in app: AppName) async throws -> SessionAttachment? {
        try await read { db in
            try db.row(
                """
                SELECT a.bytes, a.version FROM session_attachment a JOIN session s ON s.number = a.session
                WHERE s.id = ?1 AND s.app = ?2
                """, [session.text, app.text],
                read: { SessionAttachment(bytes: try $0.bytes(), version: Int(try $0.integer())) })
        }
    }

    package func replaceAttachment(
        of session: SessionID, in app: AppName, version: Int, with bytes: [UInt8]
    ) async throws -> Bool {
        try await write { db in
            try db.run(
                """
                UPDATE session_attachment SET bytes = ?1, version = version + 1
                WHERE session = (SELECT number FROM session WHERE id = ?2 AND app = ?3) AND version = ?4
                """, [Data(bytes), session.text, app.text, version]) == 1
        }
    }
}
