import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting

/// A server of the apps `vici`, `clarity` and the built-in provider, which share a store and a clock.
struct ServerWorld: Sendable {
    let world: World
    let server: AdministeredServer

    init() throws { try self.init(World.vici()) }

    init(_ world: World) throws {
        let others = try ["clarity", "idp"].map { try World($0, .clarity, sharing: world) }
        self.world = world
        let ports = world.engine.ports
        server = AdministeredServer(
            apps: ([world] + others).map { world in
                AdministeredApp(
                    engine: world.engine, title: world.engine.app.name.text, contract: "clarity", basePath: "/x")
            },
            store: ports.store, keys: ports.keys, system: ports.system,
            inMemoryRateLimiter: ports.inMemoryRateLimiter, report: ports.report)
    }

    /// The administration of the command line.
    var operatorsAdministration: ServerAdministration {
        ServerAdministration(server, actor: .commandLine(user: "operator"))
    }

    func key(
        scopes: [String] = ["accounts:read"], apps: [String] = [], networks: [String] = [],
        expiresIn seconds: Double? = nil
    ) async throws -> (key: ServiceKey, text: Secret<String>) {
        try await operatorsAdministration.createServiceKey(
            NewServiceKey(
                name: "Back office", scopes: scopes, apps: apps, networks: networks,
                expiresAt: seconds.map { world.clock.now.addingTimeInterval($0) }))
    }

    /// Returns the refusal of a key; nil if it is accepted.
    func refusal(of text: Secret<String>?, from address: String = "192.0.2.1") async throws -> ServiceKeyRefusal? {
        do {
            _ = try await server.authenticate(text, from: Caller(address: address, network: address))
            return nil
        } catch let refusal as ServiceKeyRefusal {
            return refusal
        }
    }

    /// The audit log of all apps and of the server.
    func events() async throws -> [AuditEvent] {
        try await server.store.events(in: nil, since: nil, after: nil, limit: 10_000).map(\.event)
    }
}
