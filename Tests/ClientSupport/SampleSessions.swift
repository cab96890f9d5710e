import Foundation
package import OstiaryClient
import OstiaryCore

/// Sessions to store.
package enum SampleSessions {
    package static let contract = "clarity"
    package static var baseURL: BaseURL { get throws { try BaseURL("https://auth.example.com/clarity") } }

    /// Two sessions, and a sign-out that the server has not confirmed. Those of `Golden/saved-sessions-2.json`.
    package static var all: SavedSessions {
        get throws {
            var first = try session("session-1", accessToken: "access/token", refreshToken: "refresh token")
            first.user = User(
                id: try AccountID("0b0c6a5e-7d0e-4a62-9a0e-1f6f4e0c8a11"), email: try EmailAddress("Jo@example.com"),
                username: try Username("jö"), phoneNumber: try PhoneNumber("+15551234567"),
                fullName: try PersonName("Jo Dee"), roles: ["admin", "editor"], authProvider: "google")
            first.signingKey = RequestSigningKey(id: "key-1", secret: Secret([0, 1, 2, 255]))
            let second = ClientSession(
                id: ClientSession.ID(rawValue: "session-2"), contract: contract, baseURL: try baseURL, accountID: nil,
                label: "", accessToken: Secret("a\"\\\u{1}ä"), refreshToken: nil,
                issuedAt: Date(timeIntervalSince1970: 1_800_000_001), expiresAt: nil)
            let former = ClientSession(
                id: ClientSession.ID(rawValue: "session-0"), contract: contract, baseURL: try baseURL,
                accountID: try AccountID("7"), label: "sam", accessToken: Secret("old access token"),
                refreshToken: Secret("old refresh token"), issuedAt: Date(timeIntervalSince1970: 1_799_990_000),
                expiresAt: Date(timeIntervalSince1970: 1_799_993_600))
            return SavedSessions(
                sessions: [first, second], current: first.id,
                pendingRevocations: [
                    PendingRevocation(session: former, since: Date(timeIntervalSince1970: 1_799_999_999))
                ])
        }
    }

    /// The same, when the last account has gone.
    package static var withoutLast: SavedSessions {
        get throws {
            let all = try all
            return SavedSessions(
                sessions: all.sessions.dropLast(), current: all.current, pendingRevocations: all.pendingRevocations)
        }
    }

    package static func session(
        _ id: String = "session-1", accessToken: String = "access-1", refreshToken: String = "refresh-1"
    ) throws -> ClientSession {
        ClientSession(
            id: ClientSession.ID(rawValue: id), contract: contract, baseURL: try baseURL,
            accountID: try AccountID("0b0c6a5e-7d0e-4a62-9a0e-1f6f4e0c8a11"), label: "Jo@example.com",
            accessToken: Secret(accessToken), refreshToken: Secret(refreshToken),
            issuedAt: Date(timeIntervalSince1970: 1_800_000_000.9),
            expiresAt: Date(timeIntervalSince1970: 1_800_003_600.9))
    }
}
