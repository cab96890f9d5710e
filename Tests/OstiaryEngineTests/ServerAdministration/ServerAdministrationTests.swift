import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct ServerAdministrationTests {
    private let servers: ServerWorld

    init() throws { servers = try ServerWorld() }

    private func administration(apps: [String] = []) async throws -> ServerAdministration {
        let (_, text) = try await servers.key(apps: apps)
        return try await servers.server.authenticate(
            text, from: Caller(address: "192.0.2.1", network: "192.0.2.1", userAgent: "Job/1"))
    }

    @Test func `reaches every app from the command line`() {
        let all = servers.operatorsAdministration
        #expect(all.apps.map(\.name.text) == ["vici", "clarity", "idp"])
        #expect(all.reach.includesServer)
        #expect(AdministrationScope.allCases.allSatisfy { all.reach.grants($0) })
    }

    @Test(arguments: [
        ([], ["vici", "clarity"]), (["idp"], ["idp"]), (["clarity"], ["clarity"]), (["idp", "vici"], ["vici", "idp"]),
    ])
    func `reaches the apps of a key, and the built-in provider only by its name`(
        apps: [String], reached: [String]
    ) async throws {
        let administration = try await administration(apps: apps)
        #expect(administration.apps.map(\.name.text) == reached)
        #expect(administration.reach.includesServer == apps.isEmpty)
    }

    @Test func `refuses an app out of reach as one that does not exist`() async throws {
        let administration = try await administration(apps: ["clarity"])
        #expect(try administration.app("clarity").appName.text == "clarity")
        for name in ["vici", "idp", "nowhere", "", "CLARITY", "_server", "e\u{301}"] {
            let problem = #expect(throws: AdministrationProblem.self) { try administration.app(name) }
            #expect(problem?.reason == .notFound && problem?.code == "not_found")
        }
    }

    @Test func `acts as the key, from the address of the request`() async throws {
        let administration = try await administration()
        _ = try await servers.world.registered()
        let account = try #require(try await servers.world.account())
        _ = try await administration.app("vici").setActive(false, account.id)
        let event = try #require(try await servers.events().last { $0.action == "admin.users.disable" })
        #expect(event.actor == administration.actor.text && event.actor?.hasPrefix("key:") == true)
        #expect(event.address == "192.0.2.1" && event.userAgent == "Job/1")
    }

    @Test func `grants the scopes of a key alone`() async throws {
        let (_, text) = try await servers.key(scopes: ["audit:read", "roles:write"])
        let reach = try await servers.server.authenticate(text, from: Caller()).reach
        #expect(AdministrationScope.allCases.filter { reach.grants($0) } == [.rolesWrite, .auditRead])
    }
}
