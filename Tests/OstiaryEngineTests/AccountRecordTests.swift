import OstiaryCore
import OstiaryEngine
import Testing

/// Accounts that an import refuses, before one of them is stored. Attack row OA-26.
struct AccountRecordTests {
    private static let manyRoles = (0...100).map { "\"r\($0)\"" }.joined(separator: ",")

    @Test(arguments: [
        (#"{"auth_provider":"auth0","provider_subject":"a\u0000b"}"#, "provider_subject: must have 1 to 255 bytes"),
        (#"{"auth_provider":"auth0","provider_subject":"a\u001bb"}"#, "provider_subject: must have 1 to 255 bytes"),
        (#"{"auth_provider":"auth0","provider_subject":""}"#, "provider_subject: must have 1 to 255 bytes"),
        (
            #"{"auth_provider":"auth0","provider_subject":"\#(String(repeating: "x", count: 256))"}"#,
            "provider_subject: must have 1 to 255 bytes"
        ),
        (#"{"auth_provider":"Local","username":"ann"}"#, "auth_provider: must have 1 to 64"),
        (#"{"auth_provider":"","username":"ann"}"#, "auth_provider: must have 1 to 64"),
        (#"{"auth_provider":"a\u0000","provider_subject":"b"}"#, "auth_provider: must have 1 to 64"),
        (#"{"email":"ann@example.com","roles":[\#(manyRoles)]}"#, "an account has at most 100 roles"),
        (#"{"email":"ann@example.com","created_at":"2026-02-30T12:00:00Z"}"#, "created_at: must be a time"),
        (#"{"email":"ann@example.com","created_at":"2026-01-31"}"#, "created_at: must be a time"),
    ]) func `refuses`(line: String, reason: String) async throws {
        let world = try World.vici()
        let outcomes = try await world.administration.importAccounts([AccountRecord(line: Array(line.utf8))])
        guard case .refused(let problem)? = outcomes.first else {
            Issue.record("imported: \(line)")
            return
        }
        #expect(problem.description.hasPrefix(reason))
    }

    @Test(arguments: ["auth0", "google-oauth2", "oidc_2"])
    func `takes the subject of a provider`(provider: String) async throws {
        let world = try World.vici()
        let subject = String(repeating: "s", count: 255)
        let line = #"{"auth_provider":"\#(provider)","provider_subject":"\#(subject)"}"#
        #expect(try await world.administration.importAccounts([AccountRecord(line: Array(line.utf8))]) == [.added])
    }
}
