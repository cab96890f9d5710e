import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// The statistics of what an engine did, from its audit log.
@Suite struct StatisticsTests {
    /// Returns the statistics of the hour around now, after all events are counted.
    private func report(
        of world: World, by grouping: StatisticsGrouping? = nil
    ) async throws -> StatisticsReport {
        try await StatisticsRollUp(store: world.store).run()
        let now = world.clock.now
        return try await world.administration.statistics(
            StatisticsQuery(from: now, to: now.addingTimeInterval(1), interval: .hour, grouping: grouping))
    }

    @Test func `counts successes and refusals by code`() async throws {
        let world = try World.clarity { $0.limits = .generous }
        _ = try await world.registered()
        for _ in 0..<3 { _ = try await world.signIn() }
        for _ in 0..<2 { _ = await refusal { try await world.signIn(password: otherPassword) } }
        let totals = try await report(of: world).totals
        #expect(totals.attempts == AttemptCounts(succeeded: 3, failed: 2))
        #expect(totals.outcomes == ["ok": 3, "wrong_credentials": 2])
        #expect(totals.methods == ["password": 3])
        #expect(totals.successRate == 0.6)
        #expect(totals.failureRate == 0.4)
        #expect(totals.secondFactorShare == 0)
        #expect(totals.registrations == 1)
    }

    @Test func `has no rates without attempts`() async throws {
        let totals = try await report(of: World.clarity()).totals
        #expect(totals.attempts.attempts == 0)
        #expect(totals.successRate == nil)
        #expect(totals.failureRate == nil)
        #expect(totals.secondFactorShare == nil)
    }

    @Test func `a second factor or a passkey counts for the share, a remembered device does not`() async throws {
        let world = try World.clarity()
        let counted = [
            ("password", "", 1), ("password", "totp", 2), ("passkey", "", 3), ("password", "remembered_device", 4),
        ]
        let counts = counted.map { method, factor, count in
            HourlyCount(
                HourlyCount.Key(
                    app: world.engine.app.name, at: world.clock.now, series: .signIn, method: method, factor: factor,
                    outcome: "ok"), count: count)
        }
        #expect(try await world.store.add(counts, movingPositionFrom: 0, to: 1))
        #expect(try await report(of: world).totals.secondFactorShare == 0.5)
    }

    @Test func `counts neither refreshes nor reads nor malformed requests as attempts`() async throws {
        let world = try World.clarity { $0.limits = .generous }
        let signedIn = try await world.registered()
        _ = try await world.refresh(signedIn.tokens)
        try await world.use(signedIn.tokens)
        _ = await refusal { try await world.registered("bob@example.com", password: "short") }
        _ = await refusal { try await world.engine.perform(Refresh(refreshToken: Secret("x"))) }
        let totals = try await report(of: world).totals
        #expect(totals.attempts.attempts == 0)
        #expect(totals.registrations == 1)
    }

    @Test func `counts a flood of one network once a minute, as the audit log records it`() async throws {
        let world = try World.clarity()
        _ = try await world.registered()
        for _ in 0..<30 { _ = await refusal { try await world.signIn(password: otherPassword) } }
        let totals = try await report(of: world).totals
        let logged = try await world.events().filter { $0.method != nil }
        #expect(totals.attempts.failed == logged.count)
        #expect(totals.outcomes["too_many_attempts"] == 1)
        #expect(world.engine.ports.operationCounts.counts.values.reduce(0, +) > totals.attempts.attempts)
    }

    @Test func `divides attempts by hour and by method`() async throws {
        let world = try World.clarity { $0.limits = .generous }
        _ = try await world.registered()
        _ = try await world.signIn()
        let first = world.clock.now
        world.clock.advance(by: .seconds(7_200))
        _ = await refusal { try await world.signIn(password: otherPassword) }
        try await StatisticsRollUp(store: world.store).run()
        let report = try await world.administration.statistics(
            StatisticsQuery(
                from: first, to: world.clock.now.addingTimeInterval(1), interval: .hour, grouping: .method))
        #expect(report.items.count == 3)
        #expect(report.items.map(\.attempts.attempts) == [1, 0, 1])
        #expect(report.items[0].groups.map(\.key) == ["password"])
        #expect(report.items[0].groups.map(\.attempts) == [AttemptCounts(succeeded: 1)])
        #expect(report.items[1].groups.isEmpty)
        let byOutcome = try await world.administration.statistics(
            StatisticsQuery(from: first, to: world.clock.now.addingTimeInterval(1), grouping: .outcome))
        #expect(byOutcome.items.count == 1)
        #expect(byOutcome.items[0].groups.map(\.key) == ["ok", "wrong_credentials"])
    }

    @Test func `counts an account once a day, a week and a month`() async throws {
        let world = try World.clarity { $0.limits = .generous }
        // 15 January 2027 is a Friday.
        let signedIn = try await world.registered()
        for _ in 0..<3 { _ = try await world.signIn() }
        _ = try await world.registered("bob@example.com")
        #expect(try await report(of: world).totals.activeAccounts == .init(day: 2, week: 2, month: 2))
        world.clock.advance(by: .seconds(86_400))
        var tokens = try await world.refresh(signedIn.tokens)
        tokens = try await world.refresh(tokens)
        #expect(try await report(of: world).totals.activeAccounts == .init(day: 1, week: 2, month: 2))
        world.clock.advance(by: .seconds(2 * 86_400))
        _ = try await world.refresh(tokens)
        #expect(try await report(of: world).totals.activeAccounts == .init(day: 1, week: 1, month: 2))
    }

    @Test func `reports the active accounts of every day`() async throws {
        let world = try World.clarity { $0.limits = .generous }
        _ = try await world.registered()
        let start = world.clock.now
        world.clock.advance(by: .seconds(2 * 86_400))
        _ = try await world.signIn()
        let report = try await world.administration.statistics(
            StatisticsQuery(from: start, to: world.clock.now.addingTimeInterval(5 * 86_400)))
        #expect(report.activeDays.map(\.accounts) == [1, 0, 1])
    }

    @Test func `keeps no trace of a deleted account but the counts`() async throws {
        let world = try World.clarity { $0.limits = .generous }
        _ = try await world.registered()
        let before = try await report(of: world)
        _ = try await world.administration.delete(ada)
        #expect(try await report(of: world) == before)
        _ = try await world.registered()
        #expect(try await report(of: world).totals.activeAccounts.day == 2)
    }

    @Test(arguments: [
        (StatisticsQuery(from: Date(timeIntervalSince1970: 1), to: Date(timeIntervalSince1970: 1)), "range_invalid"),
        (StatisticsQuery(from: Date(timeIntervalSince1970: 2), to: Date(timeIntervalSince1970: 1)), "range_invalid"),
        (StatisticsQuery(from: .distantPast, to: Date(timeIntervalSince1970: 0), interval: .day), "range_too_long"),
        (
            StatisticsQuery(
                from: Date(timeIntervalSince1970: 0), to: Date(timeIntervalSince1970: 31 * 86_400 + 1), interval: .hour),
            "range_too_long"
        ),
    ])
    func `refuses a range that is empty or too long`(query: StatisticsQuery, code: String) async throws {
        let world = try World.clarity()
        let problem = await #expect(throws: AdministrationProblem.self) {
            try await world.administration.statistics(query)
        }
        #expect(problem?.reason == .invalid)
        #expect(problem?.code == code)
        #expect(problem?.pointer == "/from")
    }

    @Test func `reports the longest ranges`() async throws {
        let world = try World.clarity()
        for interval in StatisticsInterval.allCases {
            let start = Date(timeIntervalSince1970: 0)
            let report = try await world.administration.statistics(
                StatisticsQuery(
                    from: start, to: start.addingTimeInterval(Double(interval.seconds * interval.maximumCount)),
                    interval: interval))
            #expect(report.items.count == interval.maximumCount)
        }
    }
}

/// The job that counts.
@Suite struct StatisticsRollUpTests {
    private func event(_ outcome: String = "ok", at: Date, method: String? = "password") throws -> AuditEvent {
        AuditEvent(at: at, app: try AppName("sample"), action: "signIn", outcome: outcome, method: method)
    }

    @Test func `counts each event once, however many jobs run`() async throws {
        let clock = TestClock(now: Date(timeIntervalSince1970: 1_800_000_000))
        let store = MemoryStore(system: clock.engineSystem)
        for _ in 0..<1_000 { store.append(try event(at: clock.now)) }
        let counted = await inParallel(8) { _ in (try? await StatisticsRollUp(store: store, batchSize: 7).run()) ?? 0 }
        try await StatisticsRollUp(store: store).run()
        let found = store.counts(
            of: try AppName("sample"), from: clock.now, to: clock.now.addingTimeInterval(3_600), by: .hour)
        #expect(found.map(\.count).reduce(0, +) == 1_000)
        #expect(counted.reduce(0, +) <= 1_000)
    }

    @Test func `passes over events that are no attempts`() async throws {
        let clock = TestClock(now: Date(timeIntervalSince1970: 1_800_000_000))
        let store = MemoryStore(system: clock.engineSystem)
        for _ in 0..<20 { store.append(try event(at: clock.now, method: nil)) }
        #expect(try await StatisticsRollUp(store: store, batchSize: 3).run() == 20)
        #expect(try await StatisticsRollUp(store: store).run() == 0)
        #expect(
            store.counts(of: try AppName("sample"), from: .distantPast, to: .distantFuture, by: .day).isEmpty)
    }

    @Test func `changes nothing from a position that was moved`() throws {
        let store = MemoryStore(system: TestClock(now: Date(timeIntervalSince1970: 0)).engineSystem)
        let key = HourlyCount.Key(
            app: try AppName("sample"), at: Date(timeIntervalSince1970: 0), series: .signIn, outcome: "ok")
        #expect(store.add([HourlyCount(key, count: 1)], movingPositionFrom: 0, to: 5))
        #expect(!store.add([HourlyCount(key, count: 1)], movingPositionFrom: 0, to: 6))
        #expect(store.statisticsPosition() == 5)
        #expect(
            store.counts(of: try AppName("sample"), from: .distantPast, to: .distantFuture, by: .day).map(\.count) == [
                1
            ])
    }
}
