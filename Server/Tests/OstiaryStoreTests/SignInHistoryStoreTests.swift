import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct SignInHistoryStoreTests {
    @Test(arguments: Backend.allCases)
    func `a new account has no history`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            #expect(
                try await store.signInHistory(of: account.id, in: account.app, at: noon) == StoredSignInHistory())
            #expect(
                try await store.signInHistory(of: AccountID("none"), in: account.app, at: noon)
                    == StoredSignInHistory())
        }
    }

    @Test(arguments: Backend.allCases)
    func `the last replacement remains until its end, with the time of the last sign-in`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.setSignInHistory([1], of: account.id, in: account.app, until: noon.after(10))
            try await store.setSignInHistory([2, 0, 255], of: account.id, in: account.app, until: noon.after(60))
            try await store.addSession("first", of: account, at: noon.after(5))
            #expect(
                try await store.signInHistory(of: account.id, in: account.app, at: noon.after(59))
                    == StoredSignInHistory(lastSignInAt: noon.after(5), sealed: [2, 0, 255]))
            #expect(
                try await store.signInHistory(of: account.id, in: account.app, at: noon.after(60))
                    == StoredSignInHistory(lastSignInAt: noon.after(5)))
        }
    }

    @Test(arguments: Backend.allCases)
    func `histories of an id in different apps are different`(backend: Backend) async throws {
        try await backend.withStore { store in
            let ids = try ["vici", "clarity"].map { try NewAccount.local(app: $0, email: "jo@example.com", id: "same") }
            for new in ids { _ = try await store.add(new, spending: nil) }
            try await store.setSignInHistory([1], of: AccountID("same"), in: .named("vici"), until: noon.after(60))
            #expect(
                try await store.signInHistory(of: AccountID("same"), in: .named("clarity"), at: noon).sealed == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a deleted account leaves no history, and gets none`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.setSignInHistory([1], of: account.id, in: account.app, until: noon.after(60))
            #expect(try await store.delete(account.id, in: account.app, credentialVersion: nil))
            try await store.setSignInHistory([2], of: account.id, in: account.app, until: noon.after(60))
            let again = try await store.add(
                .local(email: "jo@example.com", id: account.id.text), spending: nil)
            #expect(try await store.signInHistory(of: again.id, in: again.app, at: noon).sealed == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `concurrent replacements and a deletion do not fail`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            _ = try await inParallel(20) { index in
                if index == 10 {
                    _ = try await store.delete(account.id, in: account.app, credentialVersion: nil)
                } else {
                    try await store.setSignInHistory(
                        [UInt8(index)], of: account.id, in: account.app, until: noon.after(60))
                }
            }
            #expect(try await store.signInHistory(of: account.id, in: account.app, at: noon).sealed == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `the sweep deletes histories that are over, and the details of old assessments`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let other = try await store.addAccount("other")
            try await store.setSignInHistory([1], of: account.id, in: account.app, until: noon.after(60))
            try await store.setSignInHistory([2], of: other.id, in: other.app, until: noon.after(9_000_000))
            let assessed = ["risk_signals": "new_country", "risk_score": "25", "country": "DE"]
            for (seconds, details) in [(0.0, assessed), (1, ["reason": "a ticket"]), (10_000, assessed)] {
                try await store.append(
                    AuditEvent(
                        at: noon.after(seconds), app: .named(), action: "signIn", outcome: "ok", account: account.id,
                        details: details))
            }
            let now = noon.after(90 * 86_400 + 5000)
            let swept = try await store.sweep(at: now, endedBefore: .distantPast, auditBefore: .distantPast)
            #expect(swept == 1)
            #expect(try await store.signInHistory(of: account.id, in: account.app, at: noon).sealed == nil)
            #expect(try await store.signInHistory(of: other.id, in: other.app, at: noon).sealed == [2])
            #expect(
                try await store.events(3).map(\.event.details) == [[:], ["reason": "a ticket"], assessed])
        }
    }

    @Test(arguments: Backend.allCases)
    func `the sweep deletes the details of assessments of any age, and continues with later ones`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            func append(at seconds: Double) async throws {
                try await store.append(
                    AuditEvent(
                        at: noon.after(seconds), app: .named(), action: "signIn", outcome: "ok",
                        details: ["country": "DE"]))
            }
            func sweep(at seconds: Double) async throws {
                _ = try await store.sweep(
                    at: noon.after(seconds), endedBefore: .distantPast, auditBefore: .distantPast)
            }
            let day = 86_400.0
            for time in [0, 200 * day] { try await append(at: time) }
            try await sweep(at: 280 * day)
            #expect(try await store.events(2).map(\.event.details) == [[:], ["country": "DE"]])
            try await append(at: 201 * day)
            try await sweep(at: 291 * day)
            #expect(try await store.events(3).map(\.event.details) == [[:], [:], ["country": "DE"]])
            try await sweep(at: 292 * day)
            #expect(try await store.events(3).map(\.event.details) == [[:], [:], [:]])
        }
    }
}
