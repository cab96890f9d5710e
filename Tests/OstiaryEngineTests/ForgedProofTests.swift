import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryEngineTestSupport
import Testing

/// Proofs that are forged in one respect, each against the access token, the refresh token and the sign-in.
@Suite struct ForgedProofTests {
    /// A change of a valid proof.
    struct Forgery: CustomTestStringConvertible, Sendable {
        let name: String
        let forge: @Sendable (inout ProofKey.Draft) -> Void
        /// `true` for one that concerns requests with an access token alone.
        var needsToken = false
        var testDescription: String { name }

        init(_ name: String, needsToken: Bool = false, _ forge: @escaping @Sendable (inout ProofKey.Draft) -> Void) {
            self.name = name
            self.needsToken = needsToken
            self.forge = forge
        }
    }

    private static func header(_ name: String, _ value: JSON?, _ what: String) -> Forgery {
        Forgery("\(name): \(what)") { $0.setHeader(name, value) }
    }

    private static func claim(_ name: String, _ value: JSON?, _ what: String, needsToken: Bool = false) -> Forgery {
        Forgery("\(name): \(what)", needsToken: needsToken) { $0.setClaim(name, value) }
    }

    private static let other = ProofKey()

    static let forgeries: [Forgery] =
        [
            header("typ", nil, "missing"), header("typ", "JWT", "another"), header("typ", "dpop+JWT", "another case"),
            header("typ", "at+jwt", "an access token's"), header("typ", 1, "a number"),
            header("alg", nil, "missing"), header("alg", "none", "none"), header("alg", "HS256", "symmetric"),
            header("alg", "RS256", "RSA"), header("alg", "ES384", "another curve"),
            header("alg", "ES256K", "secp256k1"),
            header("alg", "EdDSA", "Edwards"), header("alg", "es256", "another case"),
            header("jwk", nil, "missing"), header("jwk", other.jwk, "another key"), header("jwk", "x", "a text"),
            header("jwk", ["kty": "oct", "k": "AAAA"], "symmetric"),
            Forgery("jwk: a private key") { draft in
                guard case .object(var members) = other.jwk else { return }
                members.append(JSON.Member("d", .string(other.privateScalar)))
                draft.setHeader("jwk", .object(members))
            },
            Forgery("jwk: no point of the curve") { draft in
                let zero = JSON.string(Base64URL.encode([UInt8](repeating: 0, count: 32)))
                draft.setHeader("jwk", ["kty": "EC", "crv": "P-256", "x": zero, "y": zero])
            },
            Forgery("jwk: coordinates swapped") { draft in
                guard let x = other.jwk["x"], let y = other.jwk["y"] else { return }
                draft.setHeader("jwk", ["kty": "EC", "crv": "P-256", "x": y, "y": x])
            },
            header("crit", ["exp"], "an extension"),
            claim("jti", nil, "missing"), claim("jti", "", "empty"), claim("jti", 7, "a number"),
            claim("jti", .string(String(repeating: "a", count: 257)), "too long"),
            claim("htm", nil, "missing"), claim("htm", "GET", "another method"), claim("htm", "post", "another case"),
            claim("htm", "POST ", "with a space"),
            claim("htu", nil, "missing"), claim("htu", "https://auth.example.com/y", "another path"),
            claim("htu", "https://auth.example.com/x/", "a longer path"),
            claim("htu", "https://auth.example.com/X", "another case of the path"),
            claim("htu", "https://auth.example.com/%2Fx", "an escaped slash"),
            claim("htu", "http://auth.example.com/x", "another scheme"),
            claim("htu", "https://auth.example.com:8443/x", "another port"),
            claim("htu", "https://evil.example.com/x", "another host"),
            claim("htu", "https://auth.example.com@evil.example.com/x", "user information"),
            claim("htu", "https://auth.example.com.evil.example.com/x", "a longer host"),
            claim("htu", "//auth.example.com/x", "no scheme"), claim("htu", "/x", "a path"),
            claim("htu", "https://auth.example.com/x%", "half an escape"),
            claim("iat", nil, "missing"), claim("iat", 0, "1970"), claim("iat", 4_000_000_000, "the future"),
            claim("iat", "1800000000", "a text"), claim("iat", .number(1_800_000_000.5), "a fraction"),
            claim("iat", .integer(.min), "the least number"), claim("iat", .integer(.max), "the greatest number"),
            claim("ath", 1, "a number"), claim("ath", "", "empty"),
            claim("ath", nil, "missing", needsToken: true), claim("ath", "AAAA", "another", needsToken: true),
            claim("ath", .string(ProofKey.hash(of: Secret("another token"))), "another token's", needsToken: true),
            claim("nonce", 1, "a number"), claim("nonce", ["a"], "a list"),
            Forgery("signature: one bit") { $0.signature = { $0[63] ^= 1 } },
            Forgery("signature: zero") { $0.signature = { $0 = [UInt8](repeating: 0, count: 64) } },
            Forgery("signature: cut") { $0.signature = { $0.removeLast() } },
            Forgery("signature: longer") { $0.signature = { $0.append(0) } },
            Forgery("signature: halves swapped") { $0.signature = { $0 = Array($0[32...] + $0[..<32]) } },
            Forgery("a member twice") { $0.claims.append(JSON.Member("htm", "POST")) },
            Forgery("a member of the header twice") { $0.header.append(JSON.Member("typ", "dpop+jwt")) },
        ]

    @Test func `there are at least forty kinds`() { #expect(Set(Self.forgeries.map(\.name)).count >= 40) }

    @Test(arguments: forgeries) func `opens no session`(forgery: Forgery) async throws {
        guard !forgery.needsToken else { return }
        let binding = try BindingWorld()
        let engine = try binding.engine(forge: forgery.forge)
        await #expect(throws: AuthError.invalidDPoPProof) { try await engine.perform(BindingWorld.register()) }
        #expect(binding.world.hasher.hashes == 0)
    }

    @Test(arguments: forgeries) func `refreshes nothing`(forgery: Forgery) async throws {
        guard !forgery.needsToken else { return }
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        let engine = try binding.engine(forge: forgery.forge)
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await engine.perform(Refresh(refreshToken: tokens.refreshToken ?? Secret("")))
        }
        #expect(try await binding.world.session(of: tokens)?.generation == 0)
    }

    @Test(arguments: forgeries) func `gives no access`(forgery: Forgery) async throws {
        let binding = try BindingWorld()
        let tokens = try await binding.registered()
        let engine = try binding.engine(accessToken: tokens.accessToken, forge: forgery.forge)
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await engine.perform(CurrentUser(accessToken: tokens.accessToken))
        }
        await #expect(throws: AuthError.invalidDPoPProof) { try await engine.bearer(of: tokens.accessToken) }
        try await binding.use(tokens)
    }

    @Test(arguments: ["", "x", "a.b.c", "e30.e30.AA"]) func `a header that is no proof gives no access`(text: String)
        async throws
    {
        let binding = try BindingWorld(.required)
        let tokens = try await binding.registered()
        let engine = binding.engine(presenting: text, hasScheme: true)
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await engine.perform(BindingWorld.register("b@example.com"))
        }
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await engine.perform(Refresh(refreshToken: tokens.refreshToken ?? Secret("")))
        }
        await #expect(throws: AuthError.invalidDPoPProof) {
            try await engine.perform(CurrentUser(accessToken: tokens.accessToken))
        }
    }
}
