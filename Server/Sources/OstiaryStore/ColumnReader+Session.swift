import Foundation
import OstiaryCore
import OstiaryEngine

extension ColumnReader {
    /// The columns that ``session()`` reads, of a table with the alias `s`.
    static var sessionColumns: String {
        """
        s.id, s.app, s.account_id, s.created_at, s.last_used_at, s.idle_seconds, s.idle_ends_at, s.ends_at, s.generation, \
        s.generation_issued_at, s.device_id, s.platform, s.os_version, s.app_version, s.address, s.user_agent, \
        s.revoked_at, s.revoke_reason, s.oldest_generation, s.authentication, s.actor, s.bound_key
        """
    }

    mutating func session() throws -> Session {
        var session = Session(
            id: try value(SessionID.init), app: try value(AppName.init), accountID: try value(AccountID.init),
            createdAt: try date(), idleSeconds: 0, endsAt: .distantFuture)
        session.lastUsedAt = try date()
        session.idleSeconds = Int(try integer())
        session.idleEndsAt = try date()
        session.endsAt = try date()
        session.generation = Int(try integer())
        session.generationIssuedAt = try date()
        let device = DeviceInfo(
            deviceID: try optionalText(), platform: try optionalText(), osVersion: try optionalText(),
            appVersion: try optionalText())
        session.device = device == DeviceInfo() ? nil : device
        session.address = try optionalText()
        session.userAgent = try optionalText()
        let revokedAt = try optionalDate()
        let reason = try optionalValue { text in
            guard let reason = Revocation.Reason(rawValue: text) else { throw FieldProblem.malformed }
            return reason
        }
        if let revokedAt, let reason { session.revocation = Revocation(reason: reason, at: revokedAt) }
        session.oldestGeneration = Int(try integer())
        session.authentication = AuthenticationContext(text: try text())
        session.actor = try optionalText()
        session.boundKey = try optionalText()
        return session
    }
}
