import Foundation
import GRDB
import OstiaryCore
import OstiaryEngine
@testable import OstiaryStore
import Testing

/// The queue of the events, as every store keeps it.
@Suite struct EventStoreTests {
    // MARK: Queue

    @Test(arguments: Backend.allCases)
    func `a claimed delivery has everything that its request needs`(backend: Backend) async throws {
        try await backend.withStore { store in
            let endpoint = try EventEndpoint.sample(types: [.accountCreated], include: [.email])
            try await store.watch(endpoint)
            let account = try await store.addAccount()
            let claim = try #require(try await store.claim().first)
            #expect(claim.endpoint == endpoint && claim.secrets == EventEndpointSecrets(current: [1]))
            #expect(claim.event.type == "account.created" && claim.event.account == account.id)
            #expect(claim.event.app == account.app && claim.event.session == nil && claim.event.actor == nil)
            #expect(claim.event.snapshot == EventSnapshot(account))
            #expect(claim.event.details == EventDetails(provider: "local"))
            #expect(claim.event.id.utf8.count == 32 && claim.delivery.eventID == claim.event.id)
            #expect(claim.delivery.state == .pending && claim.delivery.attempts.isEmpty)
            #expect(abs(claim.event.at.timeIntervalSinceNow) < 60)
        }
    }

    @Test(arguments: Backend.allCases)
    func `each enabled endpoint gets the events of its app and types`(backend: Backend) async throws {
        try await backend.withStore { store in
            let all = try EventEndpoint.sample(1)
            let some = try EventEndpoint.sample(2, types: [.sessionCreated, .accountDeleted])
            let other = try EventEndpoint.sample(3, app: "other")
            var disabled = try EventEndpoint.sample(4)
            disabled.state = .disabled
            for endpoint in [all, some, other, disabled] { try await store.watch(endpoint) }
            let account = try await store.addAccount()
            try await store.addSession("s1", of: account)
            #expect(try await store.types(of: all) == ["account.created", "session.created"])
            #expect(try await store.types(of: some) == ["session.created"])
            #expect(try await store.types(of: other) == [])
            #expect(try await store.types(of: disabled) == [])
            let deliveries = try await store.eventDeliveries(
                EventDeliveryFilter(apps: [.named()]), before: nil, limit: 10)
            #expect(Set(deliveries.filter { $0.type == "session.created" }.map(\.eventID)).count == 1)
        }
    }

    @Test(arguments: Backend.allCases)
    func `an account's events are claimed one after the other`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            let jo = try await store.addAccount("jo")
            try await store.addSession("s1", of: jo)
            _ = try await store.addAccount("al")
            let first = try await store.claim()
            #expect(first.map(\.event.type) == ["account.created", "account.created"])
            #expect(try await store.claim() == [])
            try await store.finish(first[1].delivery, attempts: [.success()], .delivered, at: noon)
            #expect(try await store.claim() == [])
            try await store.finish(first[0].delivery, attempts: [.success()], .delivered, at: noon)
            let next = try await store.claim()
            #expect(next.map(\.event.type) == ["session.created"] && next.first?.event.account == jo.id)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a claim that ends without an outcome is claimed again`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            _ = try await store.addAccount()
            let first = try #require(try await store.claim().first)
            #expect(try await store.claim(at: noon.after(59)) == [])
            #expect(try await store.claim(at: noon.after(60)).map(\.delivery.id) == [first.delivery.id])
            try await store.release(first.delivery)
            #expect(try await store.claim(at: noon.after(61)).map(\.delivery.id) == [first.delivery.id])
        }
    }

    @Test(arguments: Backend.allCases)
    func `a failed attempt is repeated at its time and delays the account's next event`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            let jo = try await store.addAccount()
            try await store.addSession("s1", of: jo)
            let first = try #require(try await store.claim().first)
            let attempt = EventDelivery.Attempt(at: noon, status: 500, durationMilliseconds: 7)
            try await store.finish(first.delivery, attempts: [attempt], .retry(at: noon.after(300)), at: noon)
            #expect(try await store.claim(at: noon.after(299)) == [])
            let again = try #require(try await store.claim(at: noon.after(300)).first)
            #expect(again.delivery.id == first.delivery.id && again.delivery.attempts == [attempt])
            #expect(again.endpoint.failingSince == noon)
            try await store.finish(again.delivery, attempts: [attempt, attempt], .failed, at: noon.after(300))
            #expect(try await store.claim(at: noon.after(301)).map(\.event.type) == ["session.created"])
            let failed = try #require(try await store.eventDelivery(first.delivery.id))
            #expect(failed.state == .failed && failed.attempts.count == 2 && failed.deliveredAt == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a late outcome of another worker changes nothing`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            _ = try await store.addAccount()
            let claim = try #require(try await store.claim().first)
            try await store.finish(claim.delivery, attempts: [.success()], .delivered, at: noon)
            try await store.finish(claim.delivery, attempts: [], .retry(at: noon.after(5)), at: noon.after(60))
            let delivery = try #require(try await store.eventDelivery(claim.delivery.id))
            #expect(delivery.state == .delivered && delivery.deliveredAt == noon && delivery.attempts.count == 1)
            #expect(try await store.eventEndpoint(claim.endpoint.id)?.failingSince == nil)
            #expect(try await store.eventEndpoint(claim.endpoint.id)?.lastSuccessAt == noon)
        }
    }

    @Test(arguments: Backend.allCases)
    func `the events of an endpoint that is disabled or removed fail`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (one, other) = (try EventEndpoint.sample(1), try EventEndpoint.sample(2))
            for endpoint in [one, other] { try await store.watch(endpoint) }
            let jo = try await store.addAccount()
            try await store.addSession("s1", of: jo)
            _ = try await store.replace(one, by: one, state: .disabled)
            #expect(try await store.removeEventEndpoint(other.id))
            #expect(try await store.claim() == [])
            #expect(try await store.claim(at: noon.after(600)) == [])
            let deliveries = try await store.eventDeliveries(
                EventDeliveryFilter(apps: [.named()]), before: nil, limit: 10)
            #expect(deliveries.count == 4 && deliveries.allSatisfy { $0.state == .failed })
            _ = try await store.replace(one, by: one, state: .enabled)
            try await store.addSession("s2", of: jo)
            #expect(try await store.claim(at: noon.after(600)).map(\.event.session?.text) == ["s2"])
        }
    }

    @Test(arguments: Backend.allCases)
    func `endpoints that have enough requests are not claimed for`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (one, other) = (try EventEndpoint.sample(1), try EventEndpoint.sample(2))
            for endpoint in [one, other] { try await store.watch(endpoint) }
            _ = try await store.addAccount("jo")
            _ = try await store.addAccount("al")
            let claims = try await store.claimEvents(
                at: noon, until: noon.after(60), limit: 10, excluding: [one.id], apps: [])
            #expect(claims.map(\.endpoint.id) == [other.id, other.id])
            #expect(try await store.claim().map(\.endpoint.id) == [one.id, one.id])
        }
    }

    @Test(arguments: Backend.allCases)
    func `apps that have enough requests are not claimed for`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (one, other) = (try EventEndpoint.sample(1), try EventEndpoint.sample(2, app: "other"))
            for endpoint in [one, other] { try await store.watch(endpoint) }
            _ = try await store.addAccount("jo")
            _ = try await store.addAccount("al", app: "other")
            let claims = try await store.claimEvents(
                at: noon, until: noon.after(60), limit: 1, excluding: [], apps: [one.app])
            #expect(claims.map(\.endpoint.id) == [other.id])
            #expect(try await store.claim().map(\.endpoint.id) == [one.id])
        }
    }

    @Test(arguments: Backend.allCases)
    func `events that wait for one of their account keep no others from a claim`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            let jo = try await store.addAccount("jo")
            for number in 1...100 { try await store.addSession("s\(number)", of: jo) }
            for number in 1...10 { _ = try await store.addAccount("al\(number)") }
            #expect(try await store.claim(limit: 1).map(\.event.account) == [jo.id])
            let next = try await store.claim(limit: 3)
            let last = try await store.claim(limit: 100)
            #expect(next.count == 3 && last.count == 7)
            #expect(Set((next + last).map(\.event.account)).count == 10)
            #expect((next + last).allSatisfy { $0.event.account != jo.id })
        }
    }

    // MARK: Redeliveries and tests

    @Test(arguments: Backend.allCases)
    func `an endpoint has a limited number of pending test events`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (one, other) = (try EventEndpoint.sample(1), try EventEndpoint.sample(2))
            for endpoint in [one, other] { try await store.watch(endpoint) }
            // Events that are no tests do not count.
            _ = try await store.addAccount()
            let first = try #require(try await store.queueTest(of: one.id, at: noon))
            for _ in 2..<EventEndpoint.limitOfPendingTests {
                #expect(try await store.queueTest(of: one.id, at: noon) != nil)
            }
            #expect(try await store.redeliver(first.id, at: noon) != nil)
            await #expect(throws: TooManyPendingTests.self) { try await store.queueTest(of: one.id, at: noon) }
            await #expect(throws: TooManyPendingTests.self) { try await store.redeliver(first.id, at: noon) }
            #expect(try await store.queueTest(of: other.id, at: noon) != nil)
            try await store.finish(first, attempts: [.success()], .delivered, at: noon)
            #expect(try await store.queueTest(of: one.id, at: noon) != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a redelivery has the event's id and no order`(backend: Backend) async throws {
        try await backend.withStore { store in
            let endpoint = try EventEndpoint.sample()
            try await store.watch(endpoint)
            let jo = try await store.addAccount()
            let claim = try #require(try await store.claim().first)
            try await store.finish(claim.delivery, attempts: [], .failed, at: noon)
            try await store.addSession("s1", of: jo)
            let again = try #require(try await store.redeliver(claim.delivery.id, at: noon))
            #expect(again.id != claim.delivery.id && again.eventID == claim.event.id && again.state == .pending)
            #expect(try await store.claim().map(\.delivery.eventID).contains(claim.event.id))
            #expect(try await store.redeliver(1_000_000, at: noon) == nil)
            _ = try await store.replace(endpoint, by: endpoint, state: .disabled)
            #expect(try await store.redeliver(claim.delivery.id, at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `a test is queued for one endpoint alone`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (one, other) = (try EventEndpoint.sample(1), try EventEndpoint.sample(2, types: [.accountDeleted]))
            for endpoint in [one, other] { try await store.watch(endpoint) }
            let test = try #require(try await store.queueTest(of: other.id, at: noon))
            #expect(test.type == "endpoint.test" && test.account == nil && test.endpoint == other.id)
            let claims = try await store.claim()
            #expect(claims.map(\.delivery.id) == [test.id] && claims.first?.event.at == noon)
            _ = try await store.replace(other, by: other, state: .disabled)
            #expect(try await store.queueTest(of: other.id, at: noon) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `lists deliveries in pages, the newest first`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (one, other) = (try EventEndpoint.sample(1), try EventEndpoint.sample(2, app: "other"))
            for endpoint in [one, other] { try await store.watch(endpoint) }
            for name in ["a", "b", "c"] { _ = try await store.addAccount(name) }
            _ = try await store.addAccount("d", app: "other")
            let filter = EventDeliveryFilter(apps: [try .named()])
            let page = try await store.eventDeliveries(filter, before: nil, limit: 2)
            let rest = try await store.eventDeliveries(filter, before: page.last?.id, limit: 2)
            let ids = (page + rest).map(\.id)
            #expect(page.count == 2 && rest.count == 1 && ids == ids.sorted(by: >))
            #expect(
                try await store.eventDeliveries(
                    EventDeliveryFilter(apps: [other.app], endpoint: other.id), before: nil, limit: 9
                ).map(\.app) == [try .named("other")])
            #expect(
                try await store.eventDeliveries(
                    EventDeliveryFilter(apps: [one.app, other.app], state: .failed), before: nil, limit: 9) == [])
            #expect(
                try await store.eventDeliveries(
                    EventDeliveryFilter(apps: [one.app], endpoint: other.id), before: nil, limit: 9) == [])
            #expect(try await store.eventDeliveries(EventDeliveryFilter(apps: []), before: nil, limit: 9) == [])
        }
    }

    @Test(arguments: Backend.allCases)
    func `merges the deliveries of several apps and states in one order`(backend: Backend) async throws {
        try await backend.withStore { store in
            let (one, other) = (try EventEndpoint.sample(1), try EventEndpoint.sample(2, app: "other"))
            for endpoint in [one, other] { try await store.watch(endpoint) }
            for (index, name) in ["a", "b", "c", "d", "e", "f"].enumerated() {
                _ = try await store.addAccount(name, app: index.isMultiple(of: 2) ? one.app.text : other.app.text)
            }
            let outcomes = [EventAttemptOutcome.delivered, .failed, .delivered, .retry(at: noon.after(9))]
            for (claim, outcome) in zip(try await store.claim().sorted { $0.delivery.id < $1.delivery.id }, outcomes) {
                try await store.finish(claim.delivery, attempts: [.success()], outcome, at: noon)
            }
            func states(_ apps: Set<AppName>, _ state: EventDelivery.State?, limit: Int) async throws -> [String] {
                let filter = EventDeliveryFilter(apps: apps, state: state)
                var found: [EventDelivery] = []
                repeat {
                    let page = try await store.eventDeliveries(filter, before: found.last?.id, limit: limit)
                    found += page
                    if page.count < limit { break }
                } while true
                #expect(found.map(\.id) == found.map(\.id).sorted(by: >))
                return found.map { "\($0.app.text) \($0.state.rawValue)" }
            }
            let all = [
                "other pending", "vici pending", "other pending", "vici delivered", "other failed", "vici delivered",
            ]
            for limit in [1, 2, 9] {
                #expect(try await states([one.app, other.app], nil, limit: limit) == all)
                for app in [one.app, other.app] {
                    #expect(try await states([app], nil, limit: limit) == all.filter { $0.hasPrefix(app.text) })
                    #expect(
                        try await states([app], .pending, limit: limit) == all.filter { $0 == "\(app.text) pending" })
                }
                #expect(
                    try await states([one.app, other.app], .pending, limit: limit)
                        == all.filter { $0.hasSuffix("pending") })
            }
        }
    }

    @Test(arguments: ["app", "endpoint_id"])
    func `every part of a list of deliveries is a search of an index in SQLite`(column: String) async throws {
        let store = try SQLiteStore(inMemoryWith: .system)
        let plan = try await store.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN \(SQLiteStore.deliveries(by: column))",
                arguments: [DatabaseValue.null, DatabaseValue.null, DatabaseValue.null, DatabaseValue.null]
            ).map { $0["detail"] as String }
        }
        #expect(plan.first?.contains("(\(column)=? AND state=? AND number<?)") == true, "\(plan)")
        #expect(!plan.contains { $0.contains("SCAN") || $0.contains("TEMP B-TREE") }, "\(plan)")
        try await store.close()
    }

    @Test(arguments: Backend.allCases)
    func `finished deliveries and their events are deleted after a week`(backend: Backend) async throws {
        try await backend.withStore { store in
            try await store.watch(.sample())
            _ = try await store.addAccount("jo")
            _ = try await store.addAccount("al")
            let claims = try await store.claim()
            try await store.finish(claims[0].delivery, attempts: [], .delivered, at: noon)
            let week = noon.after(EventDelivery.retentionSeconds)
            _ = try await store.sweep(at: week.after(-1), endedBefore: .distantPast, auditBefore: .distantPast)
            #expect(try await store.eventDelivery(claims[0].delivery.id) != nil)
            _ = try await store.sweep(at: week.after(1), endedBefore: .distantPast, auditBefore: .distantPast)
            let left = try await store.eventDeliveries(
                EventDeliveryFilter(apps: [.named()]), before: nil, limit: 9)
            #expect(left.map(\.id) == [claims[1].delivery.id])
        }
    }
}

extension EventEndpoint {
    static func sample(
        _ number: Int = 0, app: String = "vici", types: [EventType] = [], include: [EventField] = [],
        description: String? = nil, contact: String? = nil
    ) throws -> EventEndpoint {
        let digits = String(number, radix: 16)
        return EventEndpoint(
            id: try EventEndpointID("ep_" + String(repeating: "0", count: 32 - digits.utf8.count) + digits),
            app: try .named(app), url: "https://a.example.com/events", types: types, include: include,
            description: description, contact: try contact.map { try EmailAddress($0) }, createdAt: noon)
    }
}

extension EventDelivery.Attempt {
    static func success() -> EventDelivery.Attempt {
        EventDelivery.Attempt(at: noon, status: 204, durationMilliseconds: 1)
    }
}

extension Store {
    /// Adds an endpoint.
    func watch(_ endpoint: EventEndpoint) async throws {
        guard try await add(endpoint, secret: [1]) else { throw SampleRefused() }
    }

    /// Claims deliveries for a minute.
    func claim(at now: Date = noon, limit: Int = 10) async throws -> [ClaimedDelivery] {
        try await claimEvents(at: now, until: now.after(60), limit: limit, excluding: [], apps: [])
    }

    /// Returns the types of an endpoint's events, the oldest first.
    func types(of endpoint: EventEndpoint) async throws -> [String] {
        try await eventDeliveries(
            EventDeliveryFilter(apps: [endpoint.app], endpoint: endpoint.id), before: nil, limit: 1000
        )
        .map(\.type).reversed()
    }
}
