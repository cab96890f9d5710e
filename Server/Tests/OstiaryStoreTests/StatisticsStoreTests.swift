import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

/// Statistics in every store.
@Suite struct StatisticsStoreTests {
    private func event(
        _ outcome: String = "ok", at: Date = noon, app: String = "vici", method: String? = "password",
        factor: String? = nil, isNewAccount: Bool = false
    ) throws -> AuditEvent {
        AuditEvent(
            at: at, app: try .named(app), action: "signIn", outcome: outcome, method: method, factor: factor,
            isNewAccount: isNewAccount)
    }

    private func counts(
        _ store: any Store, app: String = "vici", by interval: StatisticsInterval = .hour
    ) async throws -> [String: Int] {
        let found = try await store.counts(
            of: .named(app), from: noon.after(-90_000), to: noon.after(90_000), by: interval)
        return Dictionary(
            found.map { ("\($0.key.series) \($0.key.method) \($0.key.factor) \($0.key.outcome)", $0.count) }
        ) { $0 + $1 }
    }

    private func active(
        _ store: any Store, _ period: ActivityPeriod, on day: Date = noon, app: String = "vici"
    ) async throws -> Int {
        let start = period.start(of: CalendarDay(containing: day))
        return try await store.activeAccounts(of: .named(app), in: period, beginningOn: start...start)[start] ?? 0
    }

    @Test(arguments: Backend.allCases)
    func `keeps what the audit event says about the attempt`(backend: Backend) async throws {
        try await backend.withStore { store in
            let events = [
                try event(method: "google", factor: "totp", isNewAccount: true), try event(method: nil),
            ]
            for event in events { try await store.append(event) }
            #expect(try await store.events(in: nil, since: nil, after: nil, limit: 9).map(\.event) == events)
        }
    }

    @Test(arguments: Backend.allCases)
    func `adds counts and moves the position in one commit, once`(backend: Backend) async throws {
        try await backend.withStore { store in
            #expect(try await store.statisticsPosition() == 0)
            for _ in 0..<3 { try await store.append(event()) }
            try await store.append(event("wrong_credentials"))
            try await store.append(event(method: nil))
            try await store.append(event(method: "google", isNewAccount: true))
            #expect(try await StatisticsRollUp(store: store, batchSize: 4).run() == 6)
            #expect(try await StatisticsRollUp(store: store).run() == 0)
            let expected = [
                "signIn password  ok": 3, "signIn password  wrong_credentials": 1, "signIn google  ok": 1,
                "registration   ok": 1,
            ]
            #expect(try await counts(store) == expected)
            let position = try await store.statisticsPosition()
            let key = HourlyCount.Key(app: try .named(), at: noon, series: .signIn, outcome: "ok")
            #expect(
                try await !store.add([HourlyCount(key, count: 1)], movingPositionFrom: position - 1, to: position))
            #expect(try await counts(store) == expected)
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts every event once, whichever of several jobs reads it first`(backend: Backend) async throws {
        try await backend.withStore { store in
            _ = try await inParallel(6) { worker in
                for number in 0..<40 {
                    if worker < 3 {
                        try await store.append(event())
                    } else if number % 5 == 0 {
                        try await StatisticsRollUp(store: store, batchSize: 7).run()
                    }
                }
            }
            try await StatisticsRollUp(store: store).run()
            #expect(try await counts(store) == ["signIn password  ok": 120])
        }
    }

    @Test(arguments: Backend.allCases)
    func `sums hours to days in UTC, and separates apps`(backend: Backend) async throws {
        try await backend.withStore { store in
            let midnight = CalendarDay(containing: noon).start
            for seconds in [0.0, 3_599.999, 3_600, 86_399.999, 86_400] {
                try await store.append(event(at: midnight.after(seconds)))
            }
            try await store.append(event(at: midnight, app: "clarity"))
            try await StatisticsRollUp(store: store).run()
            func starts(by interval: StatisticsInterval) async throws -> [Double: Int] {
                let found = try await store.counts(
                    of: .named(), from: midnight, to: midnight.after(86_400), by: interval)
                return Dictionary(
                    uniqueKeysWithValues: found.map { ($0.key.start.timeIntervalSince(midnight), $0.count) })
            }
            #expect(try await starts(by: .hour) == [0: 2, 3_600: 1, 82_800: 1])
            #expect(try await starts(by: .day) == [0: 4])
            #expect(try await counts(store, app: "clarity") == ["signIn password  ok": 1])
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts an account once in a period, whatever sessions it opens and rotates`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (jo, kim) = (try await store.addAccount(), try await store.addAccount("kim"))
            try await store.addSession("s1", of: jo, idleSeconds: 10 * 86_400)
            try await store.addSession("s2", of: jo, at: noon.after(60))
            try await store.addSession("s3", of: kim)
            _ = try await store.rotate("s1", from: 0, at: noon.after(120))
            #expect(try await active(store, .day) == 2)
            #expect(try await active(store, .week) == 2)
            #expect(try await active(store, .month) == 2)
            #expect(try await active(store, .day, app: "clarity") == 0)
            // 15 January 2027 is a Friday: the next day is of the same week, and the fourth of the next.
            let (next, later) = (noon.after(86_400), noon.after(4 * 86_400))
            for (generation, time) in [(1, next), (2, next.after(1)), (3, later)] {
                guard case .rotated = try await store.rotate("s1", from: generation, at: time) else {
                    Issue.record("not rotated")
                    return
                }
            }
            #expect(try await active(store, .day, on: next) == 1)
            #expect(try await active(store, .week, on: next) == 2)
            #expect(try await active(store, .day, on: later) == 1)
            #expect(try await active(store, .week, on: later) == 1)
            #expect(try await active(store, .month, on: later) == 2)
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts no account for a session that was not added and a rotation that was refused`(
        backend: Backend
    ) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            var stale = account
            stale.credentialVersion += 1
            await #expect(throws: SampleRefused.self) { try await store.addSession("s1", of: stale) }
            #expect(try await active(store, .day) == 0)
            try await store.addSession("s2", of: account)
            let next = noon.after(86_399)
            _ = try await store.rotate("s2", from: 7, at: next)
            #expect(try await active(store, .day, on: next) == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts an account whose password change renews its session on the next day`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account, idleSeconds: 10 * 86_400)
            let next = noon.after(86_400)
            let isSet = try await store.setPassword(
                PasswordChange(
                    app: account.app, account: account.id, hash: "new", reason: .passwordChanged,
                    keeping: SessionID("s1"), renewsKept: true, at: next))
            #expect(isSet)
            #expect(try await active(store, .day, on: next) == 1)
            _ = try await store.rotate("s1", from: 1, at: next.after(60))
            #expect(try await active(store, .day, on: next) == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts an account again in no day that a clock goes back to`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            try await store.addSession("s2", of: account, at: noon.after(-86_400))
            try await store.addSession("s3", of: account)
            #expect(try await active(store, .day) == 1)
            #expect(try await active(store, .day, on: noon.after(-86_400)) == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps the counts of a deleted account, and counts another with its name anew`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            #expect(try await store.delete(account.id, in: account.app, credentialVersion: nil))
            #expect(try await active(store, .day) == 1)
            try await store.addSession("s2", of: try await store.addAccount())
            #expect(try await active(store, .day) == 2)
        }
    }

    @Test(arguments: Backend.allCases)
    func `counts a message once, in the commit that removes it`(backend: Backend) async throws {
        try await backend.withStore { store in
            for id in ["a", "b", "c", "d"] { try await store.enqueue(.sample(id)) }
            func record(_ id: String, _ channel: MessageChannel?, _ outcome: MessageOutcome) throws -> MessageRecord {
                MessageRecord(
                    id: id, app: try .named(),
                    description: channel.map {
                        MessageDescription(channel: $0, kind: "sample", recipient: "a***", recipientHash: [1])
                    }, outcome: outcome, attempts: 1, createdAt: noon, settledAt: noon, usefulUntil: noon)
            }
            try await store.enqueue(.sample("e"))
            for _ in 0..<2 { try await store.settle(record("a", .email, .sent)) }
            try await store.settle(record("b", .email, .sent))
            try await store.settle(record("c", .sms, .failed))
            try await store.remove("d")
            try await store.settle(record("e", nil, .failed))
            try await store.settle(record("unknown", .email, .sent))
            #expect(
                try await counts(store) == [
                    "message email  sent": 2, "message sms  failed": 1, "message unknown  failed": 1,
                ])
            #expect(try await store.count() == 0)
        }
    }

    @Test(arguments: Backend.allCases)
    func `deletes what is older than the audit log`(backend: Backend) async throws {
        try await backend.withStore { store in
            let account = try await store.addAccount()
            let old = noon.after(-10 * 86_400)
            try await store.addSession("s1", of: account, at: old)
            try await store.addSession("s2", of: account)
            for time in [old, noon] { try await store.append(event(at: time)) }
            try await StatisticsRollUp(store: store).run()
            _ = try await store.sweep(at: noon, endedBefore: old, auditBefore: noon.after(-5 * 86_400))
            let found = try await store.counts(of: .named(), from: old.after(-86_400), to: noon.after(86_400), by: .day)
            #expect(found.map(\.count) == [1])
            #expect(try await active(store, .day, on: old) == 0)
            #expect(try await active(store, .day) == 1)
            #expect(try await StatisticsRollUp(store: store).run() == 0)
        }
    }
}
