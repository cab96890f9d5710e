import Crypto
import CryptoExtras
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryStore
import OstiaryTesting
import Testing

@testable import OstiaryProvider

@Suite struct RedeemingTests {
    @Test func `a code is worth an access token and an ID token that says who signed in, when and where`() async throws
    {
        let world = try await World()
        let cookie = try await world.person()
        let signedInAt = Int(world.clock.now.timeIntervalSince1970)
        world.clock.advance(by: .seconds(30))
        let answer = try await world.redeem(try await world.code(session: cookie))
        #expect(answer.expiresInSeconds == 3600)
        #expect(answer.scope == "openid profile email")
        #expect(answer.refreshToken == nil)

        let claims = try claims(answer.idToken)
        #expect(claims["iss"] == .string(World.issuer))
        #expect(claims["aud"] == "house")
        #expect(claims["sub"] == .string(try await world.account(cookie).id.text))
        #expect(claims["nonce"] == "a nonce")
        #expect(claims["auth_time"] == .integer(signedInAt))
        #expect(claims["iat"] == .integer(signedInAt + 30))
        #expect(claims["exp"] == .integer(signedInAt + 30 + 3600))
        #expect(claims["email"] == "ada@example.com")
        #expect(claims["email_verified"] == false)
        #expect(claims["name"] == "Ada")
        let hash = Array(SHA256.hash(data: Data(answer.accessToken.reveal().utf8))).prefix(16)
        #expect(claims["at_hash"] == .string(Base64URL.encode(hash)))
        #expect(
            try await world.provider.bearer(ofSession: cookie, from: world.caller)?.session.id.text
                == text(claims["sid"]))
    }

    @Test func `the ID token's signature holds under the published RSA key and no other`() async throws {
        let world = try await World()
        let token = try await world.tokens().idToken.reveal().split(separator: ".").map(String.init)
        let header = try JSON.read(Base64URL.decode(token[0].utf8) ?? [])
        #expect(header["alg"] == "RS256")
        let set = try JSON.read(try await world.provider.publicKeys())
        guard case .array(let keys)? = set["keys"], let key = keys.first(where: { $0["kid"] == header["kid"] }) else {
            Issue.record("the key is not published")
            return
        }
        let (n, e) = (Base64URL.decode(text(key["n"]).utf8) ?? [], Base64URL.decode(text(key["e"]).utf8) ?? [])
        let published = try _RSA.Signing.PublicKey(n: n, e: e)
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Base64URL.decode(token[2].utf8) ?? [])
        let input = Data("\(token[0]).\(token[1])".utf8)
        #expect(published.isValidSignature(signature, for: input, padding: .insecurePKCS1v1_5))
        #expect(!published.isValidSignature(signature, for: input.dropLast(), padding: .insecurePKCS1v1_5))
    }

    @Test func `what the scope leaves out is not told`() async throws {
        let world = try await World()
        let claims = try claims(try await world.tokens(scope: "openid").idToken)
        #expect(claims["email"] == nil && claims["email_verified"] == nil && claims["name"] == nil)
    }

    @Test(arguments: [
        ["code_verifier": "another-verifier-of-forty-three-characters-or-more"],
        ["code_verifier": ""],
        ["code_verifier": World.challenge],
        ["redirect_uri": "https://house.example.com/cb?a=1"],
        ["redirect_uri": "https://house.example.com/callback/"],
        ["client_id": "neighbour", "client_secret": "another secret"],
    ])
    func `a code with a wrong proof is refused and worth nothing from then on`(change: [String: String]) async throws {
        let world = try await World()
        let code = try await world.code(session: try await world.person())
        #expect(try await refusal { try await world.redeem(code, change) } == "invalid_grant")
        #expect(try await refusal { try await world.redeem(code) } == "invalid_grant")
    }

    @Test func `a failed client does not burn a code`() async throws {
        let world = try await World()
        let code = try await world.code(session: try await world.person())
        #expect(try await refusal { try await world.redeem(code, secret: "wrong") } == "invalid_client")
        #expect(try await refusal { try await world.redeem(code, ["redirect_uri": ""]) } == "invalid_request")
        #expect(try await refusal { try await world.redeem(code) } == nil)
    }

    @Test func `a verifier for a request without a challenge is refused: somebody took the challenge out`() async throws
    {
        let world = try await World()
        let without = ["code_challenge": "", "code_challenge_method": ""]
        let cookie = try await world.person()
        let code = try await world.code(without, session: cookie)
        #expect(try await refusal { try await world.redeem(code) } == "invalid_grant")
        let other = try await world.code(without, session: cookie)
        #expect(try await refusal { try await world.redeem(other, ["code_verifier": ""]) } == nil)
    }

    @Test func `a code that is used a second time ends what the first use gave`() async throws {
        let world = try await World()
        let code = try await world.code(["scope": "openid offline_access"], session: try await world.person())
        let answer = try await world.redeem(code)
        #expect(try await refusal { try await world.redeem(code) } == "invalid_grant")
        #expect(
            try await refusal { try await world.provider.userInfo(answer.accessToken, from: world.caller) }
                == "invalid_token")
        #expect(try await refusal { try await world.refresh(answer.refreshToken) } == "invalid_grant")
    }

    @Test func `of uses at the same time no more than one succeeds`() async throws {
        let world = try await World()
        let code = try await world.code(session: try await world.person())
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { (try? await world.redeem(code)) != nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes <= 1)
    }

    @Test func `PT-27: a code lives as long as the app's sign-in in the browser may take`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let (one, other) = (try await world.code(session: cookie), try await world.code(session: cookie))
        world.clock.advance(by: .seconds(599))
        #expect(try await refusal { try await world.redeem(one) } == nil)
        world.clock.advance(by: .seconds(1))
        #expect(try await refusal { try await world.redeem(other) } == "invalid_grant")
    }

    @Test func `a code is worth nothing once the person signed out or was disabled`() async throws {
        let world = try await World()
        let cookie = try await world.person()
        let code = try await world.code(session: cookie)
        try await world.provider.signOut(session: cookie, from: world.caller)
        #expect(try await refusal { try await world.redeem(code) } == "invalid_grant")

        let other = try await world.person("grace@example.com")
        let second = try await world.code(session: other)
        let account = try await world.account(other)
        _ = try await world.store.change(
            account.id, in: account.app, AccountChange(isActive: false), at: world.clock.now)
        #expect(try await refusal { try await world.redeem(second) } == "invalid_grant")
    }

    @Test func `the store holds nothing that a code could be redeemed with`() async throws {
        let world = try await World()
        let code = try await world.code(session: try await world.person())
        let hash = world.provider.hash(code: code)
        let record = try #require(
            try await world.store.singleUseRecord(
                .authorizationCode, hash, in: world.provider.app, at: world.clock.now))
        let payload = String(decoding: record.payload, as: UTF8.self)
        #expect(!payload.contains(code) && !payload.contains(World.verifier))
        #expect(record.hash != Array(code.utf8))
    }

    @Test(arguments: [
        (["grant_type": ""], "invalid_request"), (["grant_type": "password"], "unsupported_grant_type"),
        (["code": ""], "invalid_request"), (["code": "made up"], "invalid_grant"),
    ])
    func `what is no grant is refused in RFC 6749's words`(change: [String: String], error: String) async throws {
        let world = try await World()
        let code = try await world.code(session: try await world.person())
        #expect(try await refusal { try await world.redeem(code, change) } == error)
    }
}

func text(_ value: JSON?) -> String {
    if case .string(let text)? = value { text } else { "" }
}
