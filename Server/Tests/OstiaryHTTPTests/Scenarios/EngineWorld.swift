import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting

@testable import OstiaryHTTP

/// The real engine behind the real wire, for scenarios.
struct EngineWorld: ScenarioWorld {
    let client: AppClient
    let provider: ScenarioProvider

    var auth: RemoteAuth { client.auth }
    private var world: World { client.world }

    static func run<Result: Sendable>(
        _ contract: Contract, _ rules: TestServerRules, over link: Link, _ body: (EngineWorld) async throws -> Result
    ) async throws -> Result {
        let provider = ScenarioProvider(contract)
        let world = try await World(
            [contract], providers: provider.isOffered ? [provider] : [], social: provider.configuration
        ) { settings in
            settings.replay = ReplayPolicy(isStrict: rules.isStrict)
            settings.registersSafely = rules.registersSafely
            // The test kit's server has none.
            let none = Dictionary(
                uniqueKeysWithValues: AttemptKind.allCases.map { ($0, RateLimit(attempts: 1_000_000, perSeconds: 1)) })
            settings.limits = RateLimits(perAddress: none, perIdentifier: none)
        }
        switch link {
        case .inProcess:
            let transport = BrowsingTransport(server: try world.app(contract).server)
            return try await body(
                EngineWorld(client: AppClient(contract, in: world, over: transport), provider: provider))
        case .socket:
            return try await LiveServer.run(world) { server in
                let client = try AppClient(contract, in: world, at: server.origin, over: URLSessionTransport())
                return try await body(EngineWorld(client: client, provider: provider))
            }
        }
    }

    func pass(_ duration: Duration) { world.clock.pass(seconds: Double(duration.components.seconds)) }
    func code(for phoneNumber: PhoneNumber) throws -> OneTimeCode { try world.courier.code() }
    func resetToken(for email: EmailAddress) throws -> Secret<String> { try world.courier.resetToken() }
    func registrationToken(for email: EmailAddress) throws -> Secret<String> { try world.courier.registrationToken() }

    // MARK: The administrator

    private var administration: Administration { Administration(engine: client.app.engine, actor: "cli:operator") }

    private func account(_ who: String) async throws -> Account {
        let accounts = try await administration.accounts(after: nil, limit: 100).page
        let found = accounts.first { account in
            [account.email?.text, account.username?.text, account.phoneNumber?.e164, account.providerSubject]
                .contains(who)
        }
        guard let found else { throw World.NoSuchApp() }
        return found
    }

    func setActive(_ isActive: Bool, _ who: String) async throws {
        _ = try await administration.setActive(isActive, account(who).id.text)
    }

    func setRoles(_ roles: [String], of who: String) async throws {
        let account = try await account(who)
        _ = try await administration.changeRoles(
            account.id.text, adding: roles, removing: account.roles.filter { !roles.contains($0) })
    }

    func endSessions(of who: String) async throws {
        _ = try await administration.revokeAllSessions(of: account(who).id.text)
    }

    // MARK: The browser

    func browse(_ address: String, _ visit: BrowserVisit) async throws -> BrowserEnd {
        var (address, cookie) = (address, "")
        if address.hasPrefix(auth.baseURL.text) {
            let target = address.dropFirst(auth.baseURL.text.count).split(separator: "?", maxSplits: 1)
            let response = try await auth.send(
                WireRequest(method: "GET", path: String(target[0]), query: target.count > 1 ? String(target[1]) : ""))
            guard let location = response.headers["location"] else { return .page(status: response.status) }
            cookie = response.headers["set-cookie"].map { String($0.prefix { $0 != ";" }) } ?? ""
            address = location
        }
        let state = parameter("state", of: address) ?? ""
        let answer =
            switch visit {
            case .signIn(let person): "code=\(provider.code(for: person))&state=\(state)"
            case .refuse(let error): "error=\(error)&state=\(state)"
            }
        guard !provider.description.returnsToApp else {
            return .app("\(parameter("redirect_uri", of: address) ?? "")?\(answer)")
        }
        let response = try await auth.send(
            WireRequest(
                method: "GET", path: auth.contract.prefix + "/callback", query: answer, headers: ["cookie": cookie]))
        return response.headers["location"].map { .app($0) } ?? .page(status: response.status)
    }
}

/// Hands an app server what comes from apps and what comes from browsers, without a socket.
private struct BrowsingTransport: Transport {
    let server: AppServer

    func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        let caller = Caller(baseURL: baseURL.text)
        guard let endpoint = server.browserEndpoint(at: request.path) else {
            return await server.answer(request, from: caller).response
        }
        return await server.answer(endpoint, request, from: caller).response
    }
}
