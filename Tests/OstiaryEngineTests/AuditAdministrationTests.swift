import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The audit log of a server, as administrators see it.
@Suite struct AuditAdministrationTests {
    private let vici: World
    private let server: AdministeredServer

    init() throws {
        let vici = try World.vici()
        let worlds = [vici, try World("clarity", .clarity, sharing: vici), try World("idp", .vici, sharing: vici)]
        self.vici = vici
        let ports = vici.engine.ports
        server = AdministeredServer(
            apps: worlds.map { AdministeredApp(engine: $0.engine, title: "", contract: nil, basePath: "") },
            store: ports.store, keys: ports.keys, system: ports.system,
            inMemoryRateLimiter: ports.inMemoryRateLimiter, report: ports.report)
    }

    /// Appends one event of each app, of the server and of an app that is not configured any more.
    private func fill() async throws {
        for (number, app) in ["vici", "clarity", "idp", "_server", "gone"].enumerated() {
            try await vici.store.append(
                AuditEvent(
                    at: vici.clock.now.addingTimeInterval(Double(number)), app: try AppName(app), action: "signIn",
                    outcome: number == 1 ? "wrong_credentials" : "ok", account: try AccountID("a")))
        }
    }

    private func administration(apps: [String]? = nil) throws -> ServerAdministration {
        let key = ServiceKey(
            id: try ServiceKeyID("0123456789abcdef"), name: "k", hash: [1], scopes: [.auditRead],
            apps: try (apps ?? []).map { try AppName($0) }, createdAt: vici.clock.now)
        return ServerAdministration(server, actor: .serviceKey(key.id.text), reach: AdministrationReach(key))
    }

    private func apps(_ page: [RecordedEvent]) -> [String] { page.map(\.event.app.text) }

    @Test func `shows the events within reach, the newest first`() async throws {
        try await fill()
        let everything = ServerAdministration(server, actor: .account(try AccountID("op")))
        #expect(try await apps(everything.auditEvents(limit: 9).page) == ["_server", "idp", "clarity", "vici"])
        #expect(try await apps(administration().auditEvents(limit: 9).page) == ["_server", "clarity", "vici"])
        #expect(try await apps(administration(apps: ["idp"]).auditEvents(limit: 9).page) == ["idp"])
        #expect(try await apps(administration(apps: ["vici"]).auditEvents(app: "vici", limit: 9).page) == ["vici"])
    }

    @Test(arguments: ["clarity", "idp", "nothing", "_server", "NO", String(repeating: "e\u{301}", count: 4000)])
    func `an app out of reach does not exist`(app: String) async throws {
        await #expect {
            _ = try await administration(apps: ["vici"]).auditEvents(app: app, limit: 9)
        } throws: {
            ($0 as? AdministrationProblem)?.code == "not_found"
        }
    }

    @Test func `an account needs its app`() async throws {
        try await fill()
        let account = try AccountID("a")
        for apps in [nil, ["vici"]] as [[String]?] {
            await #expect {
                _ = try await administration(apps: apps).auditEvents(account: account, limit: 9)
            } throws: {
                ($0 as? AdministrationProblem)?.pointer == "/app"
            }
        }
        let page = try await administration().auditEvents(app: "clarity", account: account, limit: 9).page
        #expect(apps(page) == ["clarity"])
    }

    @Test func `shows the timeline of an account`() async throws {
        try await fill()
        let administration = Administration(engine: vici.engine, actor: .account(try AccountID("op")))
        #expect(try await apps(administration.auditEvents(of: AccountID("a"), limit: 9).page) == ["vici"])
        #expect(try await administration.auditEvents(of: AccountID("b"), limit: 9).page.isEmpty)
    }

    @Test func `selects by action, outcome and time`() async throws {
        try await fill()
        let start = vici.clock.now
        let administration = try administration()
        #expect(try await apps(administration.auditEvents(outcome: "wrong_credentials", limit: 9).page) == ["clarity"])
        #expect(try await administration.auditEvents(action: "signOut", limit: 9).page.isEmpty)
        let late = try await administration.auditEvents(
            since: start.addingTimeInterval(1), until: start.addingTimeInterval(3), order: .oldestFirst, limit: 9)
        #expect(apps(late.page) == ["clarity"])
        await #expect(throws: AdministrationProblem.self) {
            _ = try await administration.auditEvents(action: "sign in", limit: 9)
        }
    }
}
