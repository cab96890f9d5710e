import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct EventAdministrationTests {
    private let bench = EventBench()

    private func problem(_ body: () async throws -> Void) async throws -> AdministrationProblem {
        try #require(await #expect(throws: AdministrationProblem.self) { try await body() })
    }

    @Test(arguments: [
        ("http://crm.example.com/", "https_required"), ("ftp://crm.example.com/", "malformed"),
        ("https://user@crm.example.com/", "malformed"), ("https://crm.example.com/#a", "malformed"),
        ("https://", "malformed"), ("https://crm.example.com:0/", "malformed"), ("https://2130706433/", "malformed"),
        ("https://0x7f.1/", "malformed"), ("https://127.1/", "malformed"), ("https://10.0.0.1/", "address_refused"),
        ("https://[fd00::1]/", "address_refused"), ("https://[::ffff:169.254.169.254]/", "address_refused"),
        ("https://crm.example.com/\u{E9}", "malformed"),
    ])
    func `refuses a URL that no request is sent to`(url: String, code: String) async throws {
        let problem = try await problem {
            _ = try await bench.administration.create(NewEventEndpoint(app: .videos(), url: url))
        }
        #expect(problem.code == code && problem.pointer == "/url" && problem.reason == .invalid)
    }

    @Test func `refuses fields that are unknown, repeated or too long`() async throws {
        let url = "https://crm.example.com/"
        let app = try AppName.videos()
        for (new, pointer) in [
            (NewEventEndpoint(app: app, url: url, types: ["account.created", "none"]), "/types/1"),
            (NewEventEndpoint(app: app, url: url, types: ["account.created", "account.created"]), "/types/1"),
            (NewEventEndpoint(app: app, url: url, types: ["endpoint.test"]), "/types/0"),
            (NewEventEndpoint(app: app, url: url, include: ["password_hash"]), "/include/0"),
            (NewEventEndpoint(app: app, url: url, description: String(repeating: "x", count: 501)), "/description"),
            (NewEventEndpoint(app: app, url: url, description: "a\u{0}"), "/description"),
            (NewEventEndpoint(app: app, url: url, contact: "nobody"), "/contact"),
        ] {
            let problem = try await problem { _ = try await bench.administration.create(new) }
            #expect(problem.pointer == pointer && problem.reason == .invalid)
        }
        #expect(try await bench.administration.endpoints().isEmpty)
    }

    @Test func `what belongs to another app does not exist`() async throws {
        let (endpoint, _) = try await bench.endpoint()
        _ = try bench.addAccount()
        let delivery = try #require(try bench.deliveries.first)
        let other = EventAdministration(
            store: bench.store, keys: .test, system: bench.system, urls: EventURLPolicy(),
            apps: [try AppName("other")], actor: .serviceKey("k2"))
        #expect(try await other.endpoints().isEmpty)
        #expect(try await other.endpoints(of: .videos()).isEmpty)
        #expect(try await other.deliveries(app: .videos(), limit: 10).page.isEmpty)
        let calls: [() async throws -> Void] = [
            { _ = try await other.endpoint(endpoint.id) },
            { _ = try await other.update(endpoint.id, EventEndpointUpdate(state: .disabled)) },
            { try await other.delete(endpoint.id) }, { _ = try await other.rotateSecret(of: endpoint.id) },
            { _ = try await other.test(endpoint.id) }, { _ = try await other.redeliver(delivery.id) },
            { _ = try await other.create(NewEventEndpoint(app: .videos(), url: "https://crm.example.com/")) },
        ]
        for call in calls { #expect(try await problem(call).reason == .notFound) }
        #expect(bench.store.eventEndpoint(endpoint.id)?.state == .enabled)
    }

    @Test func `keeps every one of several concurrent changes`() async throws {
        let (endpoint, _) = try await bench.endpoint()
        let administration = try bench.administration
        for round in 1...50 {
            let updates = [
                EventEndpointUpdate(url: "https://crm.example.com/\(round)"),
                EventEndpointUpdate(description: .some("\(round)")),
                EventEndpointUpdate(contact: .some("ops\(round)@example.com")),
                EventEndpointUpdate(include: round.isMultiple(of: 2) ? ["email"] : []),
            ]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for update in updates {
                    group.addTask { _ = try await administration.update(endpoint.id, update) }
                }
                try await group.waitForAll()
            }
            let changed = try await administration.endpoint(endpoint.id)
            #expect(changed.url.hasSuffix("/\(round)") && changed.description == "\(round)")
            #expect(changed.contact?.text == "ops\(round)@example.com")
            #expect(changed.include.isEmpty != round.isMultiple(of: 2))
        }
    }

    @Test func `makes one of several concurrent changes of the same settings`() async throws {
        let (endpoint, _) = try await bench.endpoint()
        let administration = try bench.administration
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 1...20 {
                group.addTask {
                    var update = EventEndpointUpdate(url: "https://crm.example.com/\(number)")
                    update.expected = EntityTag(settingsOf: endpoint)
                    do {
                        return try await administration.update(endpoint.id, update).url.hasSuffix("/\(number)")
                    } catch let problem as AdministrationProblem {
                        #expect(problem == .editConflict)
                        return false
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
    }

    @Test func `names the endpoint and its host in the audit log, and no path`() async throws {
        let (endpoint, _) = try await bench.endpoint()
        let events = bench.store.events(in: nil, since: nil, after: nil, limit: 10).map(\.event)
        #expect(events.map(\.details) == [["endpoint": endpoint.id.text, "host": "crm.example.com"]])
    }

    @Test func `audits every change with its actor before it`() async throws {
        let (endpoint, _) = try await bench.endpoint()
        let administration = try bench.administration
        _ = try await administration.update(endpoint.id, EventEndpointUpdate(description: .some("CRM")))
        _ = try await administration.rotateSecret(of: endpoint.id)
        let test = try await administration.test(endpoint.id)
        _ = try await administration.redeliver(test.id)
        try await administration.delete(endpoint.id)
        let events = bench.store.events(in: nil, since: nil, after: nil, limit: 100).map(\.event)
        #expect(
            events.map(\.action) == [
                "admin.events.create", "admin.events.update", "admin.events.rotate-secret", "admin.events.test",
                "admin.events.redeliver", "admin.events.delete",
            ])
        #expect(events.allSatisfy { $0.actor == "key:k1" && $0.outcome == "ok" })
    }

    @Test func `changes the fields that an update has`() async throws {
        let (endpoint, _) = try await bench.endpoint(types: ["account.created"], contact: "ops@example.com")
        let administration = try bench.administration
        var expected = endpoint
        #expect(try await administration.update(endpoint.id, EventEndpointUpdate()) == expected)
        expected.types = []
        expected.contact = nil
        expected.state = .disabled
        #expect(
            try await administration.update(
                endpoint.id, EventEndpointUpdate(types: [], contact: .some(nil), state: .disabled)) == expected)
        #expect(try await problem { _ = try await administration.test(endpoint.id) }.code == "endpoint_disabled")
    }

    @Test func `a sealed secret opens for its endpoint alone`() async throws {
        let (endpoint, secret) = try await bench.endpoint()
        _ = try bench.addAccount()
        let claim = try #require(
            bench.store.claimEvents(
                at: bench.clock.now, until: bench.clock.now, limit: 1, excluding: [], apps: []
            ).first)
        let keys = try claim.secrets.signingKeys(of: endpoint.id, at: bench.clock.now, with: .test)
        #expect(keys.map { $0.text.reveal() } == [secret.reveal()])
        let (other, _) = try await bench.endpoint()
        #expect(throws: (any Error).self) {
            try claim.secrets.signingKeys(of: other.id, at: bench.clock.now, with: .test)
        }
    }
}
