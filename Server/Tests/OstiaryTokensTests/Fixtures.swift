import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryTokens

let issuer = "https://auth.example.com/vici"
let audience = "vici"
let hmacSecret = "an HMAC secret of more than 32 bytes"
let start = Date(timeIntervalSince1970: 1_800_000_000)

func makeSession(_ text: String = "5f0c0f1e-6a55-4b1e-9d0c-0d6a2b9f4e11") throws -> SessionID { try SessionID(text) }

func makeKeyRing(_ byte: UInt8 = 7) -> KeyRing {
    KeyRing(master: SymmetricKey(data: [UInt8](repeating: byte, count: 32)))
}

func makeGrant(
    issuedAt: Date = start, lifetime: TimeInterval = 3600, generation: Int = 3, subject: String = "42"
) throws -> AccessTokenRequest {
    AccessTokenRequest(
        subject: subject, session: try makeSession(), generation: generation, issuedAt: issuedAt,
        expiresAt: issuedAt.addingTimeInterval(lifetime))
}

func makeHMACTokens(
    issuer: String = issuer, audience: String = audience, secret: String = hmacSecret
) throws -> JWTAccessTokens {
    try JWTAccessTokens(
        issuer: issuer, audience: audience, secret: Secret(secret), randomBytes: SystemDependencies.system.randomBytes)
}

/// An app's tokens signed with ES256, and the dependencies that they are created with.
struct Node {
    let keys: SigningKeys
    let tokens: JWTAccessTokens

    init(
        store: SigningKeysInMemory = SigningKeysInMemory(), app: String = "vici", keyRing: KeyRing = makeKeyRing(),
        at now: Date = start
    ) async throws {
        keys = try await SigningKeys(
            app: try AppName(app), store: store, keyRing: keyRing, accessTokenSeconds: 3600, at: now)
        tokens = JWTAccessTokens(
            issuer: issuer, audience: audience, keys: keys, randomBytes: SystemDependencies.system.randomBytes)
    }

    /// Returns the ids of the published keys, the newest first.
    func publishedKeys(at now: Date) async throws -> [String] {
        struct Set: Decodable {
            struct Key: Decodable { var kid: String }
            var keys: [Key]
        }
        let document = try #require(try await tokens.publicKeySet(at: now))
        return try JSONDecoder().decode(Set.self, from: Data(document)).keys.map(\.kid)
    }
}

extension Array {
    func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var result: [T] = []
        for element in self { result.append(try await transform(element)) }
        return result
    }
}

/// Tokens of a forger who knows everything but the keys, or who has a key and forges claims.
enum Forge {
    static func segment(_ json: String) -> String { Base64URL.encode(Array(json.utf8)) }

    static func token(header: String, payload: String, sign: ([UInt8]) throws -> [UInt8]) rethrows -> String {
        let input = "\(segment(header)).\(segment(payload))"
        return "\(input).\(Base64URL.encode(try sign(Array(input.utf8))))"
    }

    /// Returns a token signed with the right secret.
    static func signed(payload: String, header: String = #"{"alg":"HS256","typ":"at+jwt"}"#) -> String {
        token(header: header, payload: payload) { hmac($0, secret: Array(hmacSecret.utf8)) }
    }

    static func hmac(_ bytes: [UInt8], secret: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: secret)))
    }

    /// Returns the claims of an acceptable token, as JSON text by name, with changes.
    static func claims(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String] = [
            "iss": #""\#(issuer)""#, "aud": #""\#(audience)""#, "sub": #""42""#, "sid": #""session-1""#, "gen": "3",
            "jti": #""AAAAAAAAAAAAAAAAAAAAAA""#, "iat": "1800000000", "exp": "1800003600",
            "token_use": #""access""#,
        ]
        for (name, value) in changes { members[name] = value }
        return "{" + members.map { #""\#($0)":\#($1)"# }.sorted().joined(separator: ",") + "}"
    }
}

/// Returns the three parts of a token.
func segments(_ token: String) -> [String] { token.split(separator: ".").map(String.init) }

func json(_ segment: String) throws -> [String: any Sendable] {
    let bytes = Base64URL.decode(Array(segment.utf8)) ?? []
    return try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: any Sendable] ?? [:]
}
