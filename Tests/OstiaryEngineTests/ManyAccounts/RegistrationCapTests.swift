import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryEngine

/// The caps on registrations of a network and of the server.
@Suite struct RegistrationCapTests {
    private func world(_ caps: RegistrationCaps, _ name: String = "vici", sharing other: World? = nil) throws -> World {
        try World(name, .vici, seed: other == nil ? 1 : 2, sharing: other) { app in
            app.limits = .generous
            app.registrations = caps
        }
    }

    private func register(_ index: Int, from network: String, in world: World) async -> AuthError? {
        await refusal {
            try await world.engine.serving(Caller(address: network, network: network)).perform(
                Register(email: EmailAddress("person-\(index)@example.com"), password: Secret(goodPassword)))
        }
    }

    @Test func `MA-12: creates so many accounts a day for one network, and any for another`() async throws {
        let world = try world(RegistrationCaps(perNetworkDay: 5))
        for index in 0..<5 { #expect(await register(index, from: "192.0.2.1", in: world) == nil) }
        let before = world.hasher.hashes
        #expect(await register(5, from: "192.0.2.1", in: world)?.code == "too_many_attempts")
        #expect(world.hasher.hashes == before)
        #expect(await register(5, from: "192.0.2.2", in: world) == nil)
        world.clock.advance(by: .seconds(86_400))
        #expect(await register(6, from: "192.0.2.1", in: world) == nil)
    }

    @Test(arguments: [(56, 8), (48, 16)])
    func `MA-12: counts wider networks of IPv6, at twice and four times the cap`(bits: Int, expected: Int) async throws
    {
        let world = try world(RegistrationCaps(perNetworkDay: 4))
        var created = 0
        for index in 0..<40 {
            let group = bits == 56 ? String(index, radix: 16) : "\(String(index, radix: 16))00"
            if await register(index, from: "2001:db8:1:\(group)::/64", in: world) == nil { created += 1 }
        }
        #expect(created == expected)
    }

    @Test func `MA-12: creates so many accounts an hour on the server, of all apps together`() async throws {
        let one = try world(RegistrationCaps(perServerHour: 10))
        let other = try world(RegistrationCaps(perServerHour: 10), "other", sharing: one)
        var created = 0
        for index in 0..<20 {
            let refusal = await register(index, from: "192.0.2.\(index)", in: index % 2 == 0 ? one : other)
            if refusal == nil { created += 1 }
        }
        #expect(created == 10)
    }

    @Test func `MA-12: counts no registration that is not acceptable`() async throws {
        let world = try world(RegistrationCaps(perNetworkDay: 1))
        let refusal = await refusal {
            try await world.engine.serving(Caller(network: "192.0.2.1")).perform(
                Register(email: EmailAddress(ada), password: Secret("short")))
        }
        #expect(refusal?.code == "password_too_short")
        #expect(await register(0, from: "192.0.2.1", in: world) == nil)
    }

    @Test func `MA-12: audits it once a minute and network`() async throws {
        let world = try world(RegistrationCaps(perNetworkDay: 1))
        for index in 0..<4 { _ = await register(index, from: "192.0.2.1", in: world) }
        let events = try await world.events().filter { $0.action == "detectAttack" }
        #expect(events.map(\.outcome) == ["mass_registration"])
        #expect(world.engine.ports.attackCounts.count(.massRegistration) == 3)
    }
}
