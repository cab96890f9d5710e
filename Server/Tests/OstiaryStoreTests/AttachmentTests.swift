import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct AttachmentTests {
    private func withSession(_ backend: Backend, _ body: (any Store, Account) async throws -> Void) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let session = Session(
                id: try SessionID("s1"), app: account.app, accountID: account.id, createdAt: noon, idleSeconds: 60,
                endsAt: noon.after(60))
            #expect(try await store.add(session, credentialVersion: 0, attachment: [1, 2]))
            try await body(store, account)
        }
    }

    @Test(arguments: Backend.allCases) func `keeps what comes with a session, for its app alone`(
        backend: Backend
    ) async throws {
        try await withSession(backend) { store, account in
            let kept = try await store.attachment(of: SessionID("s1"), in: .named())
            #expect(kept == SessionAttachment(bytes: [1, 2], version: 0))
            #expect(try await store.attachment(of: SessionID("s1"), in: .named("clarity")) == nil)
            try await store.addSession("s2", of: account)
            #expect(try await store.attachment(of: SessionID("s2"), in: .named()) == nil)
        }
    }

    @Test(arguments: Backend.allCases) func `lets one of fifty replacements of a version win`(
        backend: Backend
    ) async throws {
        try await withSession(backend) { store, _ in
            let winners = try await inParallel(50) { number in
                try await store.replaceAttachment(
                    of: SessionID("s1"), in: .named(), version: 0, with: [UInt8(number)]) ? number : nil
            }.compactMap(\.self)
            #expect(winners.count == 1)
            let kept = try await store.attachment(of: SessionID("s1"), in: .named())
            #expect(kept?.version == 1 && kept?.bytes == winners.map { UInt8($0) })
        }
    }

    @Test(arguments: Backend.allCases) func `lets an attachment go with its session`(backend: Backend) async throws {
        try await withSession(backend) { store, account in
            let isDeleted = try await store.delete(account.id, in: .named(), credentialVersion: nil)
            #expect(isDeleted)
            #expect(try await store.attachment(of: SessionID("s1"), in: .named()) == nil)
        }
    }
}
