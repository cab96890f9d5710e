import Foundation
import OstiaryCore
import OstiaryEngine
@testable import OstiaryStore
import Testing

/// The parts of a session that limit the value of a stolen token.
@Suite struct SessionSafeguardTests {
    @Test(arguments: Backend.allCases)
    func `PT-08: notes the issue of a signing key once, whatever comes at once`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for id in ["s1", "s2", "s3"] { try await store.addSession(id, of: account) }
            @Sendable func note(_ id: String, app: String = "vici") async throws -> Bool {
                try await store.noteSigningKeyIssue(of: SessionID(id), in: .named(app), at: noon.after(1))
            }
            #expect(try await note("s1", app: "other") == false)
            let noted = try await inParallel(50) { _ in try await note("s1") }
            #expect(noted.count { $0 } == 1)
            _ = try await store.rotate("s1", from: 0, at: noon.after(2))
            #expect(try await note("s1") == false)
            #expect(try await note("s2"))
            _ = try await store.revoke(SessionID("s3"), in: .named(), Revocation(reason: .signOut, at: noon))
            #expect(try await note("s3") == false)
            #expect(try await note("none") == false)
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-12: queues the notice of a revocation with the one that ends the session`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.addSession("s1", of: store.addAccount())
            let revocation = Revocation(reason: .reuse, at: noon.after(1))
            var ended: [Bool] = []
            for notice in ["one", "two"] {
                ended.append(
                    try await store.revoke(SessionID("s1"), in: .named(), revocation, notice: .sample(notice)))
            }
            #expect(ended == [true, false])
            #expect(try await store.claim(at: noon, until: noon.after(60), limit: 9).map(\.id) == ["one"])
        }
    }

    @Test(arguments: Backend.allCases, [true, false])
    func `PT-12: withdraws the refresh tokens from before a change of password`(
        backend: Backend, isRenewed: Bool
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            _ = try await store.rotate("s1", from: 0, at: noon.after(1))
            let isSet = try await store.setPassword(
                PasswordChange(
                    app: .named(), account: account.id, hash: "new", reason: .passwordChanged, keeping: SessionID("s1"),
                    renewsKept: isRenewed, at: noon.after(2)))
            #expect(isSet)
            let state = try #require(try await store.state("s1"))
            let current = isRenewed ? 2 : 1
            #expect(state.session.generation == current && state.session.oldestGeneration == current)
            #expect(state.session.revocation == nil)
            for earlier in 0..<current {
                #expect(try await store.rotate("s1", from: earlier, at: noon.after(3)) == .withdrawn(state))
            }
            _ = try await store.rotate("s1", from: current, at: noon.after(4))
            let next = try #require(try await store.state("s1"))
            #expect(next.session.generation == current + 1)
            // Later attempts are answered as usual.
            #expect(
                try await store.rotate("s1", from: current, at: noon.after(5))
                    == .superseded(next, successorFirstUsedAt: nil))
        }
    }
}
