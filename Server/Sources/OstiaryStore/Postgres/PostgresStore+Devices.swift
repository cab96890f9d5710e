package import Foundation
package import OstiaryCore
package import OstiaryEngine
import OstiaryPostgres

extension PostgresStore {
    /// Locks the account until the commit: a change of its password at another node waits, and then deletes this device
    /// too, or has been committed before and is found.
    package func add(_ device: RecognizedDevice, credentialVersion: Int) async throws -> Bool {
        let statements = [
            PostgresStatement(
                """
                INSERT INTO device (\(PostgresReader.deviceColumns))
                SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16
                FROM account WHERE app = $2 AND id = $3 AND is_active AND credential_version = $17
                FOR NO KEY UPDATE
                ON CONFLICT (app, id) DO NOTHING
                """,
                [
                    device.id.text, device.app.text, device.accountID.text, device.hash,
                    device.createdAt.milliseconds, device.lastUsedAt.milliseconds, device.expiresAt.milliseconds,
                    device.presentations, device.device?.deviceID.keepable, device.device?.platform.keepable,
                    device.device?.osVersion.keepable, device.device?.appVersion.keepable, device.address.keepable,
                    device.userAgent.keepable, device.remembered?.until.milliseconds, device.remembered?.credentials,
                    credentialVersion,
                ]),
            PostgresStatement(
                """
                DELETE FROM device WHERE number IN (
                    SELECT number FROM device
                    WHERE app = $1 AND account_id = $2 AND id <> $3
                        AND EXISTS (SELECT 1 FROM device WHERE app = $1 AND id = $3)
                    ORDER BY presentations > 0 DESC, last_used_at DESC, number DESC OFFSET $4)
                """, [device.app.text, device.accountID.text, device.id.text, RecognizedDevice.limitPerAccount - 1]),
            // Queried, not taken from the number of affected rows: a repetition finds the device that the first try added.
            PostgresStatement(
                "SELECT 1 FROM device WHERE app = $1 AND id = $2 AND hash = $3",
                [device.app.text, device.id.text, device.hash]),
        ]
        return try await write(statements).last?.isEmpty == false
    }

    package func device(_ hash: [UInt8], in app: AppName, at now: Date) async throws -> RecognizedDevice? {
        try await read(
            "SELECT \(PostgresReader.deviceColumns) FROM device WHERE app = $1 AND hash = $2 AND expires_at > $3",
            [app.text, hash, now.milliseconds]
        ).value { try $0.recognizedDevice() }
    }

    package func replace(_ hash: [UInt8], by device: RecognizedDevice) async throws -> Bool {
        try await write(Self.replacing(hash, by: device)).last?.isEmpty == false
    }

    /// Replaces the device by one with a new hash, if its hash is still `hash`. The last statement returns a row if it was.
    static func replacing(_ hash: [UInt8], by device: RecognizedDevice) -> [PostgresStatement] {
        [
            PostgresStatement(
                """
                UPDATE device SET
                    hash = $5, last_used_at = $6, expires_at = $7, presentations = $8, device_id = $9, platform = $10,
                    os_version = $11, app_version = $12, address = $13, user_agent = $14,
                    remembered_until = COALESCE($15, remembered_until),
                    remembered_for = COALESCE($16, remembered_for)
                WHERE id = $1 AND app = $2 AND account_id = $3 AND hash = $4
                """,
                [
                    device.id.text, device.app.text, device.accountID.text, hash, device.hash,
                    device.lastUsedAt.milliseconds, device.expiresAt.milliseconds, device.presentations,
                    device.device?.deviceID.keepable, device.device?.platform.keepable,
                    device.device?.osVersion.keepable, device.device?.appVersion.keepable, device.address.keepable,
                    device.userAgent.keepable, device.remembered?.until.milliseconds, device.remembered?.credentials,
                ]),
            // A repetition finds its own hash, of a random secret.
            PostgresStatement(
                "SELECT 1 FROM device WHERE app = $1 AND id = $2 AND hash = $3",
                [device.app.text, device.id.text, device.hash]),
        ]
    }

    package func devices(of account: AccountID, in app: AppName, at now: Date) async throws -> [RecognizedDevice] {
        try await read(
            """
            SELECT \(PostgresReader.deviceColumns) FROM device WHERE app = $1 AND account_id = $2 AND expires_at > $3
            ORDER BY last_used_at DESC, number DESC
            """, [app.text, account.text, now.milliseconds]
        ).values { try $0.recognizedDevice() }
    }

    package func forgetDevice(_ id: DeviceID, of account: AccountID, in app: AppName) async throws -> Bool {
        try await forgetDevice(id, of: account, in: app, as: WriteOperation(system))
    }

    func forgetDevice(
        _ id: DeviceID, of account: AccountID, in app: AppName, as operation: WriteOperation
    ) async throws -> Bool {
        try await performOnce(operation) { tx in
            let forgotten = try await tx.run(
                "DELETE FROM device WHERE app = $1 AND account_id = $2 AND id = $3",
                [app.text, account.text, id.text])
            guard forgotten.affected == 1 else { throw NothingDone() }
            try await tx.commit(after: [])
        }
    }

    static func forgettingDevices(of account: AccountID, in app: AppName) -> PostgresStatement {
        PostgresStatement("DELETE FROM device WHERE app = $1 AND account_id = $2", [app.text, account.text])
    }
}
