import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryProvider
import OstiaryTesting
import Testing

@testable import OstiaryHTTP

/// The provider's endpoints for clients that bind their tokens to a key. Source: RFC 9449 §5, §7, §8, §10.
@Suite(.timeLimit(.minutes(5)))
struct ProviderDPoPTests {
    private let world: ProviderWorld
    private let key = ProofKey()
    private let browser: Browser

    init() async throws {
        world = try await ProviderWorld { $0.bindsTokens = true }
        browser = Browser(in: world)
        _ = try await browser.register()
    }

    private var nonce: String { world.server.provider.dpopNonce }

    private func proof(
        _ method: String = "POST", _ path: String = "/oauth/token", accessToken: String? = nil,
        by other: ProofKey? = nil, forge: (inout ProofKey.Draft) -> Void = { _ in }
    ) throws -> [String: String] {
        let text = try (other ?? key)
            .proof(
                method, ProviderWorld.issuer + path, at: world.clock.now, accessToken: accessToken.map { Secret($0) },
                nonce: nonce, forge: forge)
        var headers = ["dpop": text]
        if let accessToken { headers["authorization"] = "DPoP \(accessToken)" }
        return headers
    }

    /// Returns a code for a person who is signed in.
    private func code(_ changes: [String: String] = [:]) async throws -> String {
        let query = ProviderWorld.query(changes.merging(["scope": "openid offline_access"]) { $1 })
        return try #require(parameter("code", of: try await browser.get("/idp/authorize?\(query)").location))
    }

    private func token(
        _ form: [String: String], _ headers: [String: String]
    ) async throws -> (answer: ServerResponse, body: JSON) {
        let client = ["client_id": "house", "client_secret": ProviderWorld.secret]
        let answer = await world.ask(
            "POST", "/oauth/token", headers: headers, form: ProviderWorld.form(form.merging(client) { $1 }))
        return (answer, try JSON.read(answer.body))
    }

    private func redeem(_ code: String, _ headers: [String: String]) async throws -> (
        answer: ServerResponse, body: JSON
    ) {
        try await token(
            [
                "grant_type": "authorization_code", "code": code, "code_verifier": ProviderWorld.verifier,
                "redirect_uri": "https://house.example.com/callback",
            ], headers)
    }

    private func text(_ json: JSON?) -> String {
        if case .string(let text)? = json { text } else { "" }
    }

    @Test func `discovery names the algorithm, only where tokens are bound`() async throws {
        #expect(world.server.provider.discovery["dpop_signing_alg_values_supported"] == ["ES256"])
        let other = try await ProviderWorld()
        #expect(other.server.provider.discovery["dpop_signing_alg_values_supported"] == nil)
    }

    @Test func `binds the tokens of a client that proves a key`() async throws {
        let (answer, body) = try await redeem(code(), proof())
        #expect(answer.status == 200)
        #expect(body["token_type"] == "DPoP")
        #expect(answer.headers["dpop-nonce"] == nonce)
        let access = text(body["access_token"])
        let me = await world.ask("GET", "/userinfo", headers: try proof("GET", "/userinfo", accessToken: access))
        #expect(me.status == 200)
        for headers in [
            ["authorization": "Bearer \(access)"], ["authorization": "DPoP \(access)"],
            try proof("GET", "/userinfo", accessToken: access, by: ProofKey()),
            try proof("GET", "/oauth/token", accessToken: access),
        ] {
            let refused = await world.ask("GET", "/userinfo", headers: headers)
            #expect(refused.status == 401)
            #expect(refused.headers["www-authenticate"] == "DPoP error=\"invalid_dpop_proof\", algs=\"ES256\"")
        }
        let refresh = ["grant_type": "refresh_token", "refresh_token": text(body["refresh_token"])]
        for headers in [[:], try proof(by: ProofKey())] {
            let refused = try await token(refresh, headers)
            #expect(refused.answer.status == 400)
            #expect(refused.body["error"] == "invalid_dpop_proof")
        }
        let renewed = try await token(refresh, proof())
        #expect(renewed.body["token_type"] == "DPoP")
        let narrowed = try await token(
            ["grant_type": "refresh_token", "refresh_token": text(renewed.body["refresh_token"]), "scope": "openid"],
            proof())
        let narrow = text(narrowed.body["access_token"])
        let again = await world.ask("GET", "/userinfo", headers: try proof("GET", "/userinfo", accessToken: narrow))
        #expect(again.status == 200)
        let described = await world.ask(
            "POST", "/oauth/introspect",
            form: ProviderWorld.form(["token": narrow, "client_id": "house", "client_secret": ProviderWorld.secret]))
        let description = try JSON.read(described.body)
        #expect(description["cnf"] == ["jkt": .string(key.thumbprint)])
        #expect(description["token_type"] == "DPoP")
        let revoked = await world.ask(
            "POST", "/oauth/revoke",
            form: ProviderWorld.form(["token": narrow, "client_id": "house", "client_secret": ProviderWorld.secret]))
        #expect(revoked.status == 200)
        let gone = await world.ask("GET", "/userinfo", headers: try proof("GET", "/userinfo", accessToken: narrow))
        #expect(gone.status == 401)
    }

    @Test func `a client without a key gets bearer tokens`() async throws {
        let (_, body) = try await redeem(code(), [:])
        #expect(body["token_type"] == "Bearer")
        let me = await world.ask(
            "GET", "/userinfo", headers: ["authorization": "Bearer \(text(body["access_token"]))"])
        #expect(me.status == 200)
    }

    @Test func `asks for a nonce with 400, and leaves the code as it is`() async throws {
        let code = try await code()
        let refused = try await redeem(code, proof { $0.setClaim("nonce", nil) })
        #expect(refused.answer.status == 400)
        #expect(refused.body["error"] == "use_dpop_nonce")
        #expect(refused.answer.headers["dpop-nonce"] == nonce)
        let forged = try await redeem(code, proof { $0.setClaim("htm", "GET") })
        #expect(forged.answer.status == 400)
        #expect(forged.body["error"] == "invalid_dpop_proof")
        #expect(try await redeem(code, proof()).answer.status == 200)
    }

    @Test func `dpop_jkt binds the code to the key`() async throws {
        func bound() async throws -> String { try await code(["dpop_jkt": key.thumbprint]) }
        for headers in [[:], try proof(by: ProofKey())] {
            let refused = try await redeem(bound(), headers)
            #expect(refused.answer.status == 400)
            #expect(refused.body["error"] == "invalid_grant")
        }
        #expect(try await redeem(bound(), proof()).answer.status == 200)
    }

    @Test(arguments: ["x", "AAAA", String(repeating: "=", count: 43), String(repeating: "a", count: 44)])
    func `refuses a thumbprint that is none`(thumbprint: String) async throws {
        let answer = await world.ask(
            "GET", "/authorize", query: ProviderWorld.query(["dpop_jkt": thumbprint]))
        #expect(answer.headers["location"]?.contains("error=invalid_request") == true)
    }
}
