import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import Testing

/// The endpoints of events, as every store keeps them.
@Suite struct EventEndpointStoreTests {
    @Test(arguments: Backend.allCases)
    func `keeps an endpoint with its settings`(backend: Backend) async throws {
        try await backend.withStore { store in
            let endpoint = try EventEndpoint.sample(
                types: [.accountCreated, .signInRefused], include: [.email, .phoneNumber], description: "CRM",
                contact: "ops@example.com")
            try await store.watch(endpoint)
            #expect(try await store.eventEndpoint(endpoint.id) == endpoint)
            #expect(try await store.eventEndpoints(of: .named()) == [endpoint])
            #expect(try await store.eventEndpoints(of: .named("other")) == [])
            #expect(try await store.eventEndpoints(of: nil) == [endpoint])
            var changed = endpoint
            changed.url = "https://b.example.com/events"
            changed.types = []
            changed.include = []
            changed.description = nil
            changed.contact = nil
            #expect(try await store.replace(endpoint, by: changed, state: nil) == changed)
            changed.state = .disabled
            #expect(try await store.replace(changed, by: changed, state: .disabled) == changed)
            #expect(try await store.removeEventEndpoint(endpoint.id))
            #expect(try await store.eventEndpoint(endpoint.id) == nil)
            #expect(try await !store.removeEventEndpoint(endpoint.id))
            #expect(try await store.replace(changed, by: changed, state: nil) == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `keeps at most 16 endpoints of an app`(backend: Backend) async throws {
        try await backend.withStore { store in
            for number in 0..<EventEndpoint.limitPerApp {
                try await store.watch(.sample(number))
            }
            let isAdded = try await store.add(EventEndpoint.sample(100), secret: [1])
            #expect(!isAdded)
            try await store.watch(.sample(101, app: "other"))
        }
    }

    @Test(arguments: Backend.allCases)
    func `a rotated secret keeps the one before it until its end`(backend: Backend) async throws {
        try await backend.withStore { store in
            let endpoint = try EventEndpoint.sample()
            try await store.watch(endpoint)
            #expect(try await store.replaceSecret(of: endpoint.id, with: [2], previousExpiresAt: noon.after(60)))
            _ = try await store.addAccount()
            let claim = try #require(try await store.claim().first)
            #expect(
                claim.secrets
                    == EventEndpointSecrets(current: [2], previous: [1], previousExpiresAt: noon.after(60)))
            #expect(try await !store.replaceSecret(of: EventEndpoint.sample(9).id, with: [2], previousExpiresAt: noon))
        }
    }

    @Test(arguments: Backend.allCases)
    func `a success ends the failure of an endpoint`(backend: Backend) async throws {
        try await backend.withStore { store in
            let endpoint = try EventEndpoint.sample()
            try await store.watch(endpoint)
            _ = try await store.addAccount()
            let claim = try #require(try await store.claim().first)
            try await store.finish(claim.delivery, attempts: [], .retry(at: noon), at: noon)
            try await store.finish(claim.delivery, attempts: [], .retry(at: noon), at: noon.after(5))
            #expect(try await store.eventEndpoint(endpoint.id)?.failingSince == noon)
            try await store.finish(claim.delivery, attempts: [.success()], .delivered, at: noon.after(9))
            #expect(try await store.eventEndpoint(endpoint.id)?.failingSince == nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `an endpoint is disabled once, with the message to its contact`(backend: Backend) async throws {
        try await backend.withStore { store in
            let endpoint = try EventEndpoint.sample()
            try await store.watch(endpoint)
            func disable(failingSince: Date?, _ notice: CountedMessage?) async throws -> EventEndpointDisabling {
                try await store.disable(endpoint.id, failingSince: failingSince, notice: notice, at: noon)
            }
            func notice() throws -> CountedMessage { CountedMessage(try .sample(), within: []) }
            #expect(try await disable(failingSince: noon, notice()) == .unchanged)
            _ = try await store.addAccount()
            let claim = try #require(try await store.claim().first)
            try await store.finish(claim.delivery, attempts: [], .retry(at: noon.after(5)), at: noon)
            #expect(try await disable(failingSince: noon.after(-1), notice()) == .unchanged)
            #expect(try await store.count() == 0)
            #expect(try await disable(failingSince: noon, notice()) == .disabled(refusal: nil))
            #expect(try await disable(failingSince: noon, notice()) == .unchanged)
            #expect(try await store.count() == 1)
            #expect(try await store.eventEndpoint(endpoint.id)?.state == .disabled)
            #expect(try await store.replace(endpoint, by: endpoint, state: .enabled)?.failingSince == nil)
            #expect(try await disable(failingSince: nil, nil) == .disabled(refusal: nil))
        }
    }

    @Test(arguments: Backend.allCases)
    func `a cap holds back the message of an endpoint that is disabled, and nothing else`(backend: Backend) async throws
    {
        try await backend.withStore { store in
            let endpoint = try EventEndpoint.sample()
            try await store.watch(endpoint)
            let (one, two) = (
                AttemptBucket(key: "one", limit: RateLimit(attempts: 1, perSeconds: 60)),
                AttemptBucket(key: "two", limit: RateLimit(attempts: 2, perSeconds: 60))
            )
            func disable() async throws -> EventEndpointDisabling {
                _ = try await store.replace(endpoint, by: endpoint, state: .enabled)
                return try await store.disable(
                    endpoint.id, failingSince: nil, notice: CountedMessage(.sample(), within: [one, two]), at: noon)
            }
            #expect(try await disable() == .disabled(refusal: nil))
            #expect(try await disable() == .disabled(refusal: AttemptRefusal(seconds: 60, key: "one")))
            #expect(try await store.eventEndpoint(endpoint.id)?.state == .disabled)
            #expect(try await store.count() == 1)
            // A message that is held back counts against no other cap.
            #expect(try await store.count([two], at: noon) == nil)
            #expect(try await store.count([two], at: noon) != nil)
        }
    }

    @Test(arguments: Backend.allCases)
    func `replaces an endpoint only if it has the values that were read`(backend: Backend) async throws {
        try await backend.withStore { store in
            let read = try EventEndpoint.sample()
            try await store.watch(read)
            var (first, second) = (read, read)
            (first.description, second.url) = ("CRM", "https://other.example.com/")
            #expect(try await store.replace(read, by: first, state: nil)?.description == "CRM")
            #expect(try await store.replace(read, by: second, state: .disabled) == nil)
            let kept = try #require(try await store.eventEndpoint(read.id))
            #expect(kept.description == "CRM" && kept.url == read.url && kept.state == .enabled)
        }
    }
}
