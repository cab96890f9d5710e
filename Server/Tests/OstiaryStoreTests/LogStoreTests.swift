import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

@Suite struct AttemptStoreTests {
    private let limit = RateLimit(attempts: 3, perSeconds: 60)

    @Test(arguments: Backend.allCases)
    func `allows so many attempts and then tells how long to wait`(backend: Backend) async throws {
        try await backend.withStore { store in
            let bucket = AttemptBucket(key: "k", limit: limit)
            var waits: [Int?] = []
            for _ in 0..<4 { waits.append(try await store.count([bucket], at: noon)) }
            waits.append(try await store.count([bucket], at: noon.after(20)))
            #expect(waits == [nil, nil, nil, 20, nil])
        }
    }

    @Test(arguments: Backend.allCases)
    func `allows a first attempt at whatever fraction of a millisecond`(backend: Backend) async throws {
        try await backend.withStore { store in
            // Half a millisecond is rounded up, and for a third of these by more than half a millisecond.
            for millisecond in 0..<30 {
                let bucket = AttemptBucket(key: "k\(millisecond)", limit: RateLimit(attempts: 1, perSeconds: 60))
                let now = noon.after(Double(millisecond) * 0.001 + 0.0005)
                let wait = try await store.count([bucket], at: now)
                #expect(wait == nil)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts against no bucket if one refuses`(backend: Backend) async throws {
        try await backend.withStore { store in
            let full = AttemptBucket(key: "full", limit: RateLimit(attempts: 1, perSeconds: 60))
            let other = AttemptBucket(key: "other", limit: limit)
            _ = try await store.count([full], at: noon)
            for _ in 0..<5 { #expect(try await store.count([other, full], at: noon) == 60) }
            for _ in 0..<3 { #expect(try await store.count([other], at: noon) == nil) }
        }
    }

    @Test(arguments: Backend.allCases)
    func `tells the wait of an attempt without counting it`(backend: Backend) async throws {
        try await backend.withStore { store in
            let bucket = AttemptBucket(key: "k", limit: limit)
            var waits: [Int?] = []
            for _ in 0..<4 { waits.append(try await store.wait(for: bucket, at: noon)) }
            for _ in 0..<3 { waits.append(try await store.count([bucket], at: noon)) }
            for _ in 0..<2 { waits.append(try await store.wait(for: bucket, at: noon)) }
            waits.append(try await store.wait(for: bucket, at: noon.after(20)))
            #expect(waits == [nil, nil, nil, nil, nil, nil, nil, 20, 20, nil])
        }
    }

    @Test(arguments: Backend.allCases)
    func `answers the longest wait`(backend: Backend) async throws {
        try await backend.withStore { store in
            let buckets = [("a", 30), ("b", 90)].map {
                AttemptBucket(key: $0.0, limit: RateLimit(attempts: 1, perSeconds: $0.1))
            }
            _ = try await store.count(buckets, at: noon)
            #expect(try await store.count(buckets, at: noon) == 90)
        }
    }

    @Test(arguments: Backend.allCases)
    func `allows fifty parallel attempts no more than the limit`(backend: Backend) async throws {
        try await backend.withStore { store in
            let bucket = AttemptBucket(key: "k", limit: limit)
            let outcomes = try await inParallel(50) { _ in try await store.count([bucket], at: noon) }
            #expect(outcomes.count { $0 == nil } == 3)
        }
    }

    @Test(arguments: Backend.allCases)
    func `forgets what was counted against the keys it is given`(backend: Backend) async throws {
        try await backend.withStore { store in
            let buckets = ["a", "b"].map {
                AttemptBucket(key: $0, limit: RateLimit(attempts: 1, perSeconds: 60))
            }
            _ = try await store.count(buckets, at: noon)
            try await store.forgive(["a"])
            #expect(try await store.count([buckets[0]], at: noon) == nil)
            #expect(try await store.count([buckets[1]], at: noon) == 60)
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-20: gives back one attempt and leaves the rest`(backend: Backend) async throws {
        try await backend.withStore { store in
            let bucket = AttemptBucket(key: "k", limit: limit)
            for _ in 0..<3 { _ = try await store.count([bucket], at: noon) }
            try await store.forgive(CountReversal(refunded: [bucket]), at: noon)
            #expect(try await store.count([bucket], at: noon) == nil)
            #expect(try await store.count([bucket], at: noon) == 20)
            // An attempt that was never counted cannot be refunded.
            try await store.forgive(
                CountReversal(refunded: [AttemptBucket(key: "never", limit: limit)]), at: noon)
        }
    }

    private let waits = AttemptBucket(key: "w", waits: FailureBackoff(free: 2, firstSeconds: 6))

    @Test(arguments: Backend.allCases)
    func `PT-03: keeps consecutive failures and their waits`(backend: Backend) async throws {
        try await backend.withStore { store in
            var answers: [Int?] = []
            for seconds in [0.0, 0, 0, 6, 6, 18, 18] {
                answers.append(try await store.count([waits], at: noon.after(seconds)))
            }
            #expect(answers == [nil, nil, 6, nil, 12, nil, 24])
            try await store.forgive(CountReversal(forgotten: ["w"]), at: noon.after(18))
            #expect(try await store.count([waits], at: noon.after(18)) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-03: gives back one failure`(backend: Backend) async throws {
        try await backend.withStore { store in
            for _ in 0..<5 {
                #expect(try await store.count([waits], at: noon) == nil)
                try await store.forgive(CountReversal(refunded: [waits]), at: noon)
            }
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-03: allows fifty parallel failures no more than are free`(backend: Backend) async throws {
        try await backend.withStore { store in
            let outcomes = try await inParallel(50) { _ in try await store.count([waits], at: noon) }
            #expect(outcomes.count { $0 == nil } == 2)
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-03: forgets failures once nothing of them counts, and no earlier`(backend: Backend) async throws {
        try await backend.withStore { store in
            for _ in 0..<2 { _ = try await store.count([waits], at: noon) }
            _ = try await store.sweep(
                at: noon.after(3600), endedBefore: .distantPast, auditBefore: .distantPast)
            #expect(try await store.count([waits], at: noon.after(3600)) == nil)
            #expect(try await store.count([waits], at: noon.after(3600)) == 12)
            _ = try await store.sweep(
                at: noon.after(3 * 86_400), endedBefore: .distantPast, auditBefore: .distantPast)
            for _ in 0..<2 { #expect(try await store.count([waits], at: noon.after(3 * 86_400)) == nil) }
        }
    }

    private func network(_ name: UInt8, of subject: UInt8 = 1, days: Double = 90) -> KnownNetwork {
        KnownNetwork(subject: [subject], network: [name], expiresAt: noon.after(days * 86_400))
    }

    @Test(arguments: Backend.allCases)
    func `PT-03: knows a network of a subject until it expires or is forgotten`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await !store.isKnown(network(1), at: noon))
            try await store.forgive(CountReversal(network: network(1)), at: noon)
            #expect(try await store.isKnown(network(1), at: noon))
            #expect(try await !store.isKnown(network(1, of: 2), at: noon))
            #expect(try await !store.isKnown(network(1), at: noon.after(90 * 86_400)))
            try await store.forgive(CountReversal(network: network(1, days: 100)), at: noon)
            #expect(try await store.isKnown(network(1), at: noon.after(90 * 86_400)))
            _ = try await store.sweep(
                at: noon.after(99 * 86_400), endedBefore: .distantPast, auditBefore: .distantPast)
            #expect(try await store.isKnown(network(1), at: noon))
            try await store.forgetNetworks(of: [1])
            #expect(try await !store.isKnown(network(1), at: noon))
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-03: keeps the sixteen newest networks of a subject`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.forgive(CountReversal(network: network(99, of: 2)), at: noon)
            for day in 0..<20 {
                try await store.forgive(CountReversal(network: network(UInt8(day), days: Double(day))), at: noon)
            }
            var known: [UInt8] = []
            for day in 0..<20 where try await store.isKnown(network(UInt8(day)), at: noon.after(-1)) {
                known.append(UInt8(day))
            }
            #expect(known == Array(4..<20))
            #expect(try await store.isKnown(network(99, of: 2), at: noon))
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-03: remembers networks of one subject in parallel`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await inParallel(60) { index in
                try await store.forgive(
                    CountReversal(network: network(UInt8(index % 30), days: Double(index % 30))), at: noon)
            }
            #expect(try await store.isKnown(network(29), at: noon))
        }
    }
}

@Suite struct AuditLogTests {
    @Test(arguments: Backend.allCases)
    func `gives back events in the order in which they were added`(backend: Backend) async throws {
        try await backend.withStore { store in
            let events = try ["vici", "other", "vici"].enumerated().map { index, app in
                AuditEvent(
                    at: noon.after(Double(index)), app: try .named(app), action: "signIn", outcome: "ok",
                    account: try AccountID("a\(index)"), session: index == 0 ? nil : try SessionID("s"),
                    identifier: "j***@example.com", address: "192.0.2.1", userAgent: "Example/1",
                    actor: index == 1 ? "cli:alice" : nil)
            }
            for event in events { try await store.append(event) }
            let all = try await store.events(3)
            #expect(all.map(\.event) == events)
            let own = try await store.events(in: .named(), since: nil, after: nil, limit: 10)
            #expect(own.map(\.event) == [events[0], events[2]])
            let late = try await store.events(in: nil, since: noon.after(1), after: nil, limit: 10)
            #expect(late.map(\.event) == [events[1], events[2]])
            let next = try await store.events(in: nil, since: nil, after: all[0].position, limit: 1)
            #expect(next.map(\.event) == [events[1]])
        }
    }
}

@Suite struct OutboxStoreTests {
    @Test(arguments: Backend.allCases)
    func `claims the oldest messages, each for one at a time`(backend: Backend) async throws {
        try await backend.withStore { store in
            for (id, age) in [("young", 1.0), ("old", 3.0), ("middle", 2.0)] {
                try await store.enqueue(.sample(id, age: age))
            }
            let first = try await store.claim(at: noon, until: noon.after(60), limit: 2)
            #expect(first.map(\.id) == ["old", "middle"])
            #expect(first.map(\.attempts) == [1, 1])
            #expect(first.first?.sealed == [1, 2, 3])
            #expect(try await store.claim(at: noon, until: noon.after(60), limit: 9).map(\.id) == ["young"])
            #expect(try await store.claim(at: noon.after(59), until: noon.after(90), limit: 9).isEmpty)
            let again = try await store.claim(at: noon.after(60), until: noon.after(90), limit: 1)
            #expect(again.map(\.id) == ["old"])
            #expect(again.map(\.attempts) == [2])
        }
    }

    @Test(arguments: Backend.allCases)
    func `removes, postpones and counts messages`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.enqueue(.sample("a", age: 2))
            try await store.enqueue(.sample("b", age: 1))
            _ = try await store.claim(at: noon, until: noon.after(60), limit: 9)
            try await store.remove("a")
            try await store.postpone("b", until: noon.after(10))
            #expect(try await store.count() == 1)
            #expect(try await store.claim(at: noon.after(9), until: noon.after(60), limit: 9).isEmpty)
            #expect(try await store.claim(at: noon.after(10), until: noon.after(60), limit: 9).map(\.id) == ["b"])
        }
    }

    private let bucket = AttemptBucket(key: "once", limit: RateLimit(attempts: 1, perSeconds: 60))

    private func send(_ code: String, at now: Date, by store: any Store) async throws -> Int? {
        try await store.enqueue(.sample(code), once: bucket, keeping: .code(.sample(code)), at: now)
    }

    @Test(arguments: Backend.allCases)
    func `keeps a message and its secret only if the bucket allows it`(backend: Backend) async throws {
        try await backend.withStore { store in
            var waits: [Int?] = []
            for (code, seconds) in [("first", 0.0), ("early", 20)] {
                waits.append(try await send(code, at: noon.after(seconds), by: store))
            }
            #expect(waits == [nil, 40])
            #expect(try await store.count() == 1)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)?.id == "first")
            #expect(try await send("later", at: noon.after(60), by: store) == nil)
            #expect(try await store.count() == 2)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)?.id == "later")
        }
    }

    @Test(arguments: Backend.allCases)
    func `PT-02: keeps a message only if all of its buckets allow it, and tells which does not`(backend: Backend)
        async throws
    {
        try await backend.withStore { store in
            let server = AttemptBucket(key: "server", limit: RateLimit(attempts: 2, perSeconds: 3600))
            var keys: [String?] = []
            for number in 0..<3 {
                let own = AttemptBucket(key: "own \(number)", limit: RateLimit(attempts: 1, perSeconds: 60))
                let refusal = try await store.enqueue(
                    .sample(), within: [own, server], keeping: .code(.sample("c\(number)")), at: noon)
                keys.append(refusal?.key)
            }
            #expect(keys == [nil, nil, "server"])
            #expect(try await store.count() == 2)
            // The refused attempt used nothing of the other bucket.
            let own = AttemptBucket(key: "own 2", limit: RateLimit(attempts: 1, perSeconds: 60))
            #expect(try await store.count([own], at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts nothing and keeps no secret where the message cannot be kept`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.enqueue(.sample("taken"))
            for secret in try [PendingSecret.code(.sample("c1")), .resetToken(.sample(1, of: account))] {
                await #expect {
                    try await store.enqueue(.sample("taken"), once: bucket, keeping: secret, at: noon)
                } throws: {
                    backend.reportsDuplicate($0)
                }
            }
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon) == nil)
            #expect(try await store.account(forResetToken: [1], in: .named(), at: noon) == nil)
            #expect(try await store.enqueue(.sample("free"), once: bucket, keeping: nil, at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps one of fifty messages that may go out once`(backend: Backend) async throws {
        try await backend.withStore { store in
            let waits = try await inParallel(50) { number in
                try await store.enqueue(.sample(), once: bucket, keeping: .code(.sample("c\(number)")), at: noon)
            }
            let kept = try #require(waits.firstIndex(of: nil))
            #expect(waits.count { $0 == nil } == 1)
            #expect(try await store.count() == 1)
            #expect(try await store.takeTry(recipient: [1], id: nil, in: .named(), at: noon)?.id == "c\(kept)")
        }
    }

    @Test(arguments: Backend.allCases)
    func `gives a message to one of many who claim at once`(backend: Backend) async throws {
        try await backend.withStore { store in
            for number in 0..<20 { try await store.enqueue(.sample("m\(number)", age: 1)) }
            let claims = try await inParallel(20) { _ in
                try await store.claim(at: noon, until: noon.after(60), limit: 3)
            }
            #expect(claims.joined().map(\.id).sorted() == (0..<20).map { "m\($0)" }.sorted())
        }
    }
}
