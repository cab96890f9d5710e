package import Foundation
import GRDB
package import OstiaryCore
package import OstiaryEngine

extension SQLiteStore {
    package func add(_ device: RecognizedDevice, credentialVersion: Int) async throws -> Bool {
        try await write { db in
            let isAdded =
                try db.run(
                    """
                    INSERT INTO device (\(RowReader.deviceColumns))
                    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16
                    FROM account WHERE app = ?2 AND id = ?3 AND is_active AND credential_version = ?17
                    """,
                    [
                        device.id.text, device.app.text, device.accountID.text, Data(device.hash),
                        device.createdAt.milliseconds, device.lastUsedAt.milliseconds, device.expiresAt.milliseconds,
                        device.presentations, device.device?.deviceID, device.device?.platform,
                        device.device?.osVersion, device.device?.appVersion, device.address, device.userAgent,
                        device.remembered?.until.milliseconds, device.remembered.map { Data($0.credentials) },
                        credentialVersion,
                    ]) == 1
            guard isAdded else { return false }
            try db.run(
                """
                DELETE FROM device WHERE number IN (
                    SELECT number FROM device WHERE app = ?1 AND account_id = ?2 AND id <> ?3
                    ORDER BY presentations > 0 DESC, last_used_at DESC, number DESC LIMIT -1 OFFSET ?4)
                """,
                [device.app.text, device.accountID.text, device.id.text, RecognizedDevice.limitPerAccount - 1])
            return true
        }
    }

    package func device(_ hash: [UInt8], in app: AppName, at now: Date) async throws -> RecognizedDevice? {
        try await read { try $0.device(hash, in: app, at: now) }
    }

    package func callerRecord(_ query: CallerQuery, at now: Date) async throws -> CallerRecord {
        try await read { db in
            var record = CallerRecord()
            if let hash = query.device, let device = try db.device(hash, in: query.app, at: now),
                let counter = query.deviceCounter(device)
            {
                record.device = device
                record.deviceAttempts = try db.attemptRecord(counter)
            }
            if let network = query.network, try db.isKnown(network, at: now) {
                record.isNetworkKnown = true
                record.networkAttempts = try db.attemptRecord(query.networkCounter)
            }
            return record
        }
    }

    package func replace(_ hash: [UInt8], by device: RecognizedDevice) async throws -> Bool {
        try await write { try $0.replace(hash, by: device) }
    }

    package func devices(of account: AccountID, in app: AppName, at now: Date) async throws -> [RecognizedDevice] {
        try await read { db in
            try db.rows(
                """
                SELECT \(RowReader.deviceColumns) FROM device WHERE app = ?1 AND account_id = ?2 AND expires_at > ?3
                ORDER BY last_used_at DESC, number DESC
                """, [app.text, account.text, now.milliseconds], read: { try $0.recognizedDevice() })
        }
    }

    package func forgetDevice(_ id: DeviceID, of account: AccountID, in app: AppName) async throws -> Bool {
        try await write { db in
            try db.run(
                "DELETE FROM device WHERE app = ?1 AND account_id = ?2 AND id = ?3", [app.text, account.text, id.text])
                == 1
        }
    }
}

extension Database {
    fileprivate func device(_ hash: [UInt8], in app: AppName, at now: Date) throws -> RecognizedDevice? {
        try row(
            "SELECT \(RowReader.deviceColumns) FROM device WHERE app = ?1 AND hash = ?2 AND expires_at > ?3",
            [app.text, Data(hash), now.milliseconds], read: { try $0.recognizedDevice() })
    }

    /// Replaces the device by one with a new hash, if its hash is still `hash`.
    ///
    /// - Returns: `true` if it was.
    func replace(_ hash: [UInt8], by device: RecognizedDevice) throws -> Bool {
        try run(
            """
            UPDATE device SET
                hash = ?5, last_used_at = ?6, expires_at = ?7, presentations = ?8, device_id = ?9, platform = ?10,
                os_version = ?11, app_version = ?12, address = ?13, user_agent = ?14,
                remembered_until = COALESCE(?15, remembered_until),
                remembered_for = COALESCE(?16, remembered_for)
            WHERE id = ?1 AND app = ?2 AND account_id = ?3 AND hash = ?4
            """,
            [
                device.id.text, device.app.text, device.accountID.text, Data(hash), Data(device.hash),
                device.lastUsedAt.milliseconds, device.expiresAt.milliseconds, device.presentations,
                device.device?.deviceID, device.device?.platform, device.device?.osVersion,
                device.device?.appVersion, device.address, device.userAgent,
                device.remembered?.until.milliseconds, device.remembered.map { Data($0.credentials) },
            ]) == 1
    }

    func forgetDevices(of account: AccountID, in app: AppName) throws {
        try run("DELETE FROM device WHERE app = ?1 AND account_id = ?2", [app.text, account.text])
    }
}
