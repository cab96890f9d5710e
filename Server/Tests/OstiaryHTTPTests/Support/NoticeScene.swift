import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// Jo's account, whose owner gets a security notice with a link.
struct NoticeScene {
    let link: NoticeLink
    let client: AppClient
    let server: LiveServer
    var world: World { client.world }
    var page: String { "/vici\(link.rawValue)" }

    static func run(_ link: NoticeLink, _ body: (NoticeScene) async throws -> Void) async throws {
        let world = try await World([.vici])
        try await LiveServer.run(world) { server in
            try await body(NoticeScene(link: link, client: AppClient(.vici, in: world), server: server))
        }
    }

    /// Causes the notice, and returns the token of its link and the tokens of a session that the link ends.
    func mailed() async throws -> (token: String, tokens: Tokens) {
        _ = try await client.register()
        return switch link {
        case .signInDenial: try await signInFromElsewhere()
        case .factorUndo: try await addedFactor()
        }
    }

    private func signInFromElsewhere() async throws -> (token: String, tokens: Tokens) {
        let attacker = Caller(address: "198.51.100.1", network: "198.51.100.1")
        let signedIn = try await client.app.engine.serving(attacker).perform(
            SignIn(identifier: .email(AppClient.email), password: AppClient.password, rememberMe: true))
        return (try world.notificationSealer.signInNotice().denialToken.reveal(), signedIn.tokens)
    }

    /// Adds an authenticator app to the account, whose address is verified.
    private func addedFactor() async throws -> (token: String, tokens: Tokens) {
        _ = try await client.auth.perform(RequestPasswordReset(email: AppClient.email))
        let reset = try world.notificationSealer.resetToken()
        _ = try await client.auth.perform(ResetPassword(proof: .token(reset), password: AppClient.password))
        let tokens = try await client.signIn().tokens
        let pending = try await client.auth.perform(BeginTOTP(accessToken: tokens.accessToken))
        let app = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        let confirmed = try await client.auth.perform(
            ConfirmTOTP(
                accessToken: tokens.accessToken, factorID: pending.factorID,
                code: OneTimeCode(app.code(at: world.clock.now))))
        #expect(confirmed.added?.codes?.count == 10)
        return (try #require(try world.notificationSealer.factorNotice().undoToken).reveal(), tokens)
    }

    func open(_ token: String, _ headers: [String: String] = [:]) async throws -> HTTPAnswer {
        try await server.ask("GET", "\(page)?token=\(token)", headers)
    }

    /// Sends the form of an opened page.
    func press(
        _ opened: HTTPAnswer, headers: [String: String] = [:], change: (String) -> String = { $0 }
    ) async throws -> HTTPAnswer {
        let cookie = try #require(opened["set-cookie"]?.split(separator: ";").first)
        let fields = opened.body.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/)
        let sent = [
            "Content-Type": "application/x-www-form-urlencoded", "Cookie": String(cookie), "Origin": "null",
            "Sec-Fetch-Site": "same-origin",
        ]
        return try await server.ask(
            "POST", page, sent.merging(headers) { $1 },
            body: change(fields.map { "\($0.1)=\($0.2)" }.joined(separator: "&")))
    }

    func factors() async throws -> Int {
        let account = try await world.store.account(identifiedBy: .email(AppClient.email), in: AppName("vici"))
        return try await world.store.factors(of: #require(account).id, in: AppName("vici")).factors.count
    }
}
