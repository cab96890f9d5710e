import Crypto
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryHTTP
import OstiaryStore
import OstiaryTesting
import Testing

/// The page that recovers an account whose passkeys are lost.
@Suite(.timeLimit(.minutes(5)))
struct PasskeyRecoveryPageTests {
    private struct Scene {
        let client: AppClient
        let server: LiveServer
        var world: World { client.world }

        static let page = "/vici/recover-passkey"

        /// Registers Jo with a passkey, and returns the token of the mailed link.
        func requested() async throws -> String {
            let device = TestPasskeys()
            let options = try await client.auth.perform(BeginPasskeyAccount(identifier: .email(AppClient.email)))
            let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
            _ = try await client.auth.perform(
                Register(
                    email: AppClient.email,
                    passkey: PasskeyResponse(
                        token: #require(options.token), credential: String(decoding: made.json, as: UTF8.self))))
            _ = try await client.auth.perform(RequestPasswordReset(email: AppClient.email))
            return try world.notificationSealer.recoveryToken().reveal()
        }

        func open(_ token: String, _ headers: [String: String] = [:]) async throws -> HTTPAnswer {
            try await server.ask("GET", "\(Self.page)?token=\(token)", headers)
        }

        /// Posts the form of an opened page, as the page's script or the browser does.
        func post(
            _ opened: HTTPAnswer, to path: String = Self.page, _ values: [String: String] = [:],
            headers: [String: String] = [:]
        ) async throws -> HTTPAnswer {
            let cookie = try #require(opened["set-cookie"]?.split(separator: ";").first)
            var fields: [String: String] = [:]
            for field in opened.body.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/) {
                fields[String(field.1)] = String(field.2)
            }
            fields.merge(values) { $1 }
            let body = fields.map { "\($0.key)=\(Self.encoded($0.value))" }.joined(separator: "&")
            let sent = [
                "Content-Type": "application/x-www-form-urlencoded", "Cookie": String(cookie), "Origin": "null",
                "Sec-Fetch-Site": "same-origin",
            ]
            return try await server.ask("POST", path, sent.merging(headers) { $1 }, body: body)
        }

        private static func encoded(_ text: String) -> String {
            text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }

        /// Does what the page's script does: asks for options, and submits the authenticator's response.
        func addPasskey(of device: TestPasskeys, on opened: HTTPAnswer, name: String = "Phone") async throws
            -> HTTPAnswer
        {
            let options = try await post(opened, to: "\(Self.page)/options").json
            let publicKey = try #require(options["public_key"])
            let made = try await device.register(PasskeyRegistrationOptions(json: Data(publicKey.bytes)))
            guard case .string(let token)? = options["passkey_token"] else { throw HTTPAnswer.Unreadable() }
            return try await post(
                opened,
                ["passkey_token": token, "credential": String(decoding: made.json, as: UTF8.self), "name": name])
        }

        func factors() async throws -> [String] {
            let account = try await world.store.account(identifiedBy: .email(AppClient.email), in: AppName("vici"))
            return try await world.store.factors(of: #require(account).id, in: AppName("vici")).factors.map(\.name)
        }
    }

    /// - Parameter origin: The origin of the app's pages.
    private func run(origin: String? = "https://example.com", _ body: (Scene) async throws -> Void) async throws {
        let frame = Branding(
            name: "Example", origin: origin, keys: KeyRing(master: SymmetricKey(size: .bits256)), isSecure: false,
            isDevelopment: false)
        let world = try await World([.vici], frame: frame)
        try await LiveServer.run(world) { server in
            try await body(Scene(client: AppClient(.vici, in: world), server: server))
        }
    }

    @Test func `adds a passkey, once, a day after the request`() async throws {
        try await run { scene in
            let token = try await scene.requested()
            let early = try await scene.open(token)
            #expect(early.status == 200 && early.body.contains("Come back later") && !early.body.contains("<form"))
            let request = scene.world.clock.now
            let opensAt = request.addingTimeInterval(86_400).formatted(
                Date.ISO8601FormatStyle(dateTimeSeparator: .space).year().month().day()
                    .time(includingFractionalSeconds: false))
            #expect(early.body.contains("From \(opensAt) UTC on"))
            scene.world.clock.advance(by: .seconds(86_400))
            let opened = try await scene.open(token)
            #expect(opened.status == 200 && opened.body.contains("data-options=\"recover-passkey/options\""))
            #expect(opened["content-security-policy"]?.contains("connect-src 'self'") == true)
            let device = TestPasskeys()
            let added = try await scene.addPasskey(of: device, on: opened)
            #expect(added.status == 200 && added.body.contains("Your passkey is added"))
            #expect(added["set-cookie"] == nil)
            #expect(try await scene.factors() == ["Phone"])
            let options = try await scene.client.auth.perform(BeginPasskeySignIn())
            let assertion = try await device.assert(PasskeyAssertionOptions(json: Data(options.publicKey.utf8)))
            _ = try await scene.client.auth.perform(
                SignInWithPasskey(
                    passkeyToken: #require(options.token), credential: String(decoding: assertion.json, as: UTF8.self)))
            let again = try await scene.open(token)
            #expect(again.status == 404 && again.body.contains("This link is no longer good"))
            let script = try await scene.post(opened, to: "\(Scene.page)/options")
            #expect(script.status == 404)
            guard case .string(let words)? = try script.json["error"] else { throw HTTPAnswer.Unreadable() }
            #expect(words.contains("used already"))
        }
    }

    @Test func `an early or refused passkey adds nothing, with words on the page`() async throws {
        try await run { scene in
            let token = try await scene.requested()
            let early = try await scene.open(token)
            scene.world.clock.advance(by: .seconds(86_400))
            let opened = try await scene.open(token)
            let foreign = try await scene.addPasskey(of: TestPasskeys(origin: "https://evil.example"), on: opened)
            #expect(foreign.status == 400 && foreign.body.contains("could not be verified"))
            for credential in ["", "x", "{}"] {
                let refused = try await scene.post(
                    opened, ["credential": credential, "passkey_token": "AAAA", "name": "Phone"])
                #expect((400..<500).contains(refused.status) && refused.body.contains("data-options"))
            }
            let nameless = try await scene.addPasskey(of: TestPasskeys(), on: opened, name: "")
            #expect(nameless.status == 400 && nameless.body.contains("name-problem"))
            let before = try await scene.post(early, to: "\(Scene.page)/options", ["token": token])
            #expect(before.status == 403)
            #expect(try await scene.factors() == ["Passkey"])
            #expect(try await scene.addPasskey(of: TestPasskeys(), on: opened).status == 200)
        }
    }

    @Test func `a form of another site or browser acts on nothing, and link scanners neither`() async throws {
        try await run { scene in
            let token = try await scene.requested()
            scene.world.clock.advance(by: .seconds(86_400))
            let opened = try await scene.open(token)
            for path in [Scene.page, "\(Scene.page)/options"] {
                for headers in [
                    ["Cookie": "x=y"], ["Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"],
                ] { #expect(try await scene.post(opened, to: path, headers: headers).status == 403) }
                let form = ["Content-Type": "application/x-www-form-urlencoded"]
                let bare = try await scene.server.ask("POST", path, form, body: "token=\(token)")
                #expect(bare.status == 403)
            }
            for method in ["GET", "HEAD"] {
                #expect(try await scene.server.ask(method, "\(Scene.page)?token=\(token)").status == 200)
            }
            let put = try await scene.server.ask("PUT", "\(Scene.page)?token=\(token)")
            #expect(put.status == 405 && put["allow"] == "GET, HEAD, POST")
            #expect(try await scene.server.ask("GET", "\(Scene.page)/options?token=\(token)")["allow"] == "POST")
            #expect(try await scene.server.ask("GET", "\(Scene.page)?token=\(token)&token=x").status == 400)
            #expect(try await scene.factors() == ["Passkey"])
        }
    }

    @Test func `refers to the app where no passkey belongs to the address`() async throws {
        try await run(origin: "https://auth.example.net") { scene in
            let token = try await scene.requested()
            scene.world.clock.advance(by: .seconds(86_400))
            let opened = try await scene.open(token)
            #expect(opened.status == 200 && opened.body.contains("Open the link of the message in the app"))
            #expect(!opened.body.contains("<form"))
            let german = try await scene.open(token, ["Accept-Language": "de"])
            #expect(german.body.contains("Passkey hinzufügen"))
        }
    }

    @Test(arguments: ["", "?token=", "?token=x", "?token=%00", "?x=1"])
    func `a link without a valid token says so`(query: String) async throws {
        try await run { scene in
            let answer = try await scene.server.ask("/vici/recover-passkey\(query)")
            #expect(answer.status == 404 && !answer.body.contains("<form"))
            #expect(answer.body.contains("Nothing was changed now."))
        }
    }

    @Test func `does not exist where an app has no passkeys`() async throws {
        let world = try await World([.vici]) { $0.passkeys = nil }
        try await LiveServer.run(world) { server in
            let answer = try await server.ask("/vici/recover-passkey?token=x")
            #expect(answer.status == 404 && !answer.body.contains("<html"))
        }
    }
}
