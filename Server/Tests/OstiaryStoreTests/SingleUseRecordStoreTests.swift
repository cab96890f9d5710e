import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct SingleUseRecordStoreTests {
    @Test(arguments: Backend.allCases)
    func `PT-21: keeps a record only if its bucket allows it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let bucket = AttemptBucket(key: "unfinished", limit: RateLimit(attempts: 2, perSeconds: 600))
            for number in UInt8(0)..<3 {
                let record = SingleUseRecord(
                    app: try .named(), kind: .browserStart, hash: [number], payload: [], expiresAt: noon.after(600))
                let refusal = try await store.add(record, within: [bucket], at: noon)
                let kept = try await store.singleUseRecord(.browserStart, [number], in: .named(), at: noon)
                #expect((refusal == nil) == (number < 2) && (kept != nil) == (number < 2))
            }
        }
    }

    private func singleUseRecord(
        _ hash: UInt8 = 1, _ kind: SingleUseRecord.Kind = .browserSignIn, app: String = "vici", payload: [UInt8] = [9],
        expiring date: Date = noon.after(600)
    ) throws -> SingleUseRecord {
        SingleUseRecord(app: try .named(app), kind: kind, hash: [hash], payload: payload, expiresAt: date)
    }

    private func spend(
        _ store: any Store, _ kind: SingleUseRecord.Kind = .browserSignIn, at now: Date = noon, session: String? = nil,
        keeping successor: SingleUseRecord? = nil
    ) async throws -> Redemption {
        try await store.spend(
            kind, [1], in: .named(), at: now, for: session.map { try SessionID($0) }, keeping: successor)
    }

    @Test(arguments: Backend.allCases) func `spends a record once and names the session at the second try`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try await store.add(singleUseRecord())
            #expect(try await spend(store, session: "s1") == .spent(singleUseRecord()))
            #expect(try await spend(store, session: "s2") == .replayed(singleUseRecord(), session: SessionID("s1")))
            #expect(try await store.singleUseRecord(.browserSignIn, [1], in: .named(), at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases) func `lets one of fifty parallel spenders win`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.add(singleUseRecord())
            let outcomes = try await inParallel(50) { try await spend(store, session: "s\($0)") }
            let winners = outcomes.indices.filter { if case .spent = outcomes[$0] { true } else { false } }
            let winner = try #require(winners.first)
            #expect(winners.count == 1)
            let others = outcomes.indices.filter { $0 != winner }.map { outcomes[$0] }
            #expect(try Set(others) == [.replayed(singleUseRecord(), session: SessionID("s\(winner)"))])
        }
    }

    @Test(arguments: Backend.allCases) func `knows a record until it expires and not after`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try await store.add(singleUseRecord())
            #expect(
                try await store.singleUseRecord(.browserSignIn, [1], in: .named(), at: noon.after(599))
                    == singleUseRecord())
            #expect(try await store.singleUseRecord(.browserSignIn, [1], in: .named(), at: noon.after(600)) == nil)
            #expect(try await spend(store, at: noon.after(600)) == .unknown)
            #expect(try await spend(store, at: noon.after(599)) == .spent(singleUseRecord()))
        }
    }

    @Test(arguments: Backend.allCases) func `tells apps and kinds apart`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.add(singleUseRecord(app: "clarity"))
            try await store.add(singleUseRecord(1, .browserReturn))
            #expect(try await spend(store) == .unknown)
        }
    }

    @Test(arguments: Backend.allCases) func `keeps the successor if the spending succeeds and only then`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let successor = try singleUseRecord(1, .browserReturn, payload: [8])
            #expect(try await spend(store, keeping: successor) == .unknown)
            #expect(try await store.singleUseRecord(.browserReturn, [1], in: .named(), at: noon) == nil)
            try await store.add(singleUseRecord())
            _ = try await spend(store, keeping: successor)
            #expect(try await spend(store, .browserReturn) == .spent(successor))
        }
    }

    @Test(arguments: Backend.allCases)
    func `RC-04: of a session and its withdrawal at once, one finds the other`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            for round in 0..<UInt8(20) { try await withdraw(round, of: account, opening: store, withdrawing: store) }
        }
    }

    @Test(arguments: Backend.allCases) func `refuses a second record of one hash until the first has expired`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            try await store.add(singleUseRecord())
            await #expect(throws: StoreRefusal.alreadySpent) { try await store.add(singleUseRecord(payload: [7])) }
            let past = Date(timeIntervalSince1970: 1_000_000)
            try await store.add(singleUseRecord(2, expiring: past))
            try await store.add(singleUseRecord(2, payload: [7]))
            #expect(try await store.singleUseRecord(.browserSignIn, [2], in: .named(), at: noon)?.payload == [7])
        }
    }

    @Test(arguments: Backend.allCases)
    func
        `sweeps records two minutes late, since a node whose clock is behind would accept again what they mark as used`(
            backend: Backend
        ) async throws
    {
        try await backend.withStore { store in
            for number in 0..<UInt8(3) {
                try await store.add(singleUseRecord(number, expiring: noon.after(Double(number) * 100 + 100)))
            }
            let swept = try await store.sweep(at: noon.after(320), endedBefore: noon, auditBefore: noon)
            #expect(swept == 2)
            #expect(try await store.singleUseRecord(.browserSignIn, [2], in: .named(), at: noon) != nil)
        }
    }
}

/// Opens a session at one node and withdraws it at another, both at once, as two uses of one code do, and expects that it is
/// not left open.
func withdraw(_ round: UInt8, of account: Account, opening: any Store, withdrawing: any Store) async throws {
    let id = "withdrawn-\(round)"
    async let isOpen = {
        try await opening.addSession(id, of: account)
        return try await opening.singleUseRecord(.withdrawnSession, [round], in: account.app, at: noon) == nil
    }()
    async let hasEnded = {
        try await withdrawing.add(
            SingleUseRecord(
                app: account.app, kind: .withdrawnSession, hash: [round], payload: [], expiresAt: noon.after(600)))
        return try await withdrawing.revoke(SessionID(id), in: account.app, Revocation(reason: .replayed, at: noon))
    }()
    let (opened, ended) = (try await isOpen, try await hasEnded)
    #expect(!opened || ended)
}
