import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Synchronization
import Testing

/// The signing keys of an app, as administrators see them.
@Suite struct SigningKeyAdministrationTests {
    /// Keys of one algorithm in memory.
    private final class Keys: RotatableKeys {
        private let app: AppName
        private let algorithm: String
        private let keys = Mutex<[StoredSigningKey]>([])

        init(_ app: AppName, _ algorithm: String) {
            self.app = app
            self.algorithm = algorithm
        }

        func list(at now: Date) async throws -> [StoredSigningKey] { keys.withLock { $0 } }

        func rotate(at now: Date, revokingEarlier: Bool) async throws -> StoredSigningKey {
            keys.withLock { keys in
                let count = keys.count
                if revokingEarlier { keys = [] }
                for index in keys.indices { keys[index].retiresAt = now + 3600 }
                let key = StoredSigningKey(
                    app: app, kid: "\(algorithm)-\(count)", algorithm: algorithm, sealedPrivateKey: [],
                    createdAt: now)
                keys.insert(key, at: 0)
                return key
            }
        }

        func rotate(after lifetime: TimeInterval, at now: Date) async throws -> StoredSigningKey? {
            let isDue = keys.withLock { $0.first.map { $0.createdAt + lifetime <= now } ?? false }
            return isDue ? try await rotate(at: now) : nil
        }
    }

    private let world: World

    init() throws { world = try .vici() }

    private func administration(_ keys: [any RotatableKeys]) -> Administration {
        var ports = world.engine.ports
        ports.signingKeys = keys
        return Administration(engine: AuthEngine(app: world.engine.app, ports: ports), actor: .serviceKey("k1"))
    }

    /// Returns the states of keys; each algorithm is an app of its own in the store.
    private func states(_ keys: [StoredSigningKey]) -> [StoredSigningKey.State] {
        keys.map { $0.state(at: world.clock.now, among: keys) }
    }

    @Test func `a rotation adds a current key for each algorithm and keeps the older ones accepted`() async throws {
        let name = world.engine.app.name
        let other = try AppName("vici-other")
        let administration = administration([Keys(name, "ES256"), Keys(other, "RS256")])
        #expect(states(try await administration.rotateSigningKeys()) == [.current, .current])
        let rotated = try await administration.rotateSigningKeys()
        #expect(rotated.map(\.kid) == ["ES256-1", "ES256-0", "RS256-1", "RS256-0"])
        #expect(states(rotated) == [.current, .accepted, .current, .accepted])
        #expect(try await administration.signingKeys() == rotated)
        let events = try await world.events()
        #expect(events.map(\.action) == ["admin.keys.rotate", "admin.keys.rotate"])
        #expect(events.map(\.actor) == ["key:k1", "key:k1"])
    }

    @Test func `after a theft the earlier keys are revoked, which the audit log says`() async throws {
        let administration = administration([Keys(world.engine.app.name, "ES256")])
        _ = try await administration.rotateSigningKeys()
        let keys = try await administration.rotateSigningKeys(revokingEarlier: true)
        #expect(keys.map(\.kid) == ["ES256-1"] && states(keys) == [.current])
        #expect(try await world.events().map(\.details) == [[:], ["earlier": "revoked"]])
    }

    @Test func `a schedule rotates what is due, and is audited by the id of the key`() async throws {
        let keys = Keys(world.engine.app.name, "ES256")
        var ports = world.engine.ports
        ports.signingKeys = [keys]
        let schedule = SigningKeySchedule(engines: [AuthEngine(app: world.engine.app, ports: ports)], days: 90)
        func run() async -> [String] {
            let outcome = await schedule.run()
            #expect(outcome.failures.isEmpty)
            return outcome.created.map(\.kid)
        }
        #expect(await run().isEmpty)
        _ = try await keys.rotate(at: world.clock.now)
        world.clock.advance(by: .seconds(90 * 86_400 - 1))
        #expect(await run().isEmpty)
        world.clock.advance(by: .seconds(1))
        #expect(await run() == ["ES256-1"])
        #expect(await run().isEmpty)
        let events = try await world.events()
        #expect(events.map(\.action) == ["admin.keys.rotate"] && events.map(\.actor) == ["schedule"])
        #expect(events.first?.details == ["kid": "ES256-1"])
    }

    /// Keys that cannot be read.
    private struct UnreadableKeys: RotatableKeys {
        struct Unreadable: Error {}

        func list(at now: Date) async throws -> [StoredSigningKey] { throw Unreadable() }
        func rotate(at now: Date, revokingEarlier: Bool) async throws -> StoredSigningKey { throw Unreadable() }
        func rotate(after lifetime: TimeInterval, at now: Date) async throws -> StoredSigningKey? { throw Unreadable() }
    }

    @Test func `a failure of one app or algorithm does not stop the schedule of the others`() async throws {
        let app = world.engine.app
        let (first, second) = (Keys(app.name, "ES256"), Keys(app.name, "RS256"))
        let sets: [[any RotatableKeys]] = [[UnreadableKeys(), first], [second]]
        let engines = sets.map { keys in
            var ports = world.engine.ports
            ports.signingKeys = keys
            return AuthEngine(app: app, ports: ports)
        }
        for keys in [first, second] { _ = try await keys.rotate(at: world.clock.now) }
        world.clock.advance(by: .seconds(90 * 86_400))
        let outcome = await SigningKeySchedule(engines: engines, days: 90).run()
        #expect(outcome.created.map(\.kid) == ["ES256-1", "RS256-1"])
        #expect(outcome.failures.map(\.app) == [app.name])
        #expect(outcome.failures.first?.error is UnreadableKeys.Unreadable)
        #expect(try await world.events().map(\.details) == [["kid": "ES256-1"], ["kid": "RS256-1"]])
    }

    @Test func `an app that signs with a shared secret has no keys to rotate`() async throws {
        let administration = administration([])
        #expect(try await administration.signingKeys().isEmpty)
        await #expect {
            try await administration.rotateSigningKeys()
        } throws: {
            ($0 as? AdministrationProblem)?.code == "shared_secret"
        }
        #expect(try await world.events().isEmpty)
    }
}
