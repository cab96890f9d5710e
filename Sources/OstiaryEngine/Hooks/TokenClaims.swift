import Foundation

/// The further claims of an access token, as a hook answered them: `{"claims": {…}}`.
public struct TokenClaims: Hashable, Sendable {
    /// The claims by name.
    public let values: [String: ClaimValue]

    /// The maximum size of the claims as JSON, in bytes.
    public static let maximumBytes = 2048
    /// The maximum size of a claim's name, in bytes.
    static let maximumNameBytes = 64

    /// The claims that the server itself sets, or that readers of tokens interpret. Source: RFC 7519 §4.1, RFC 9068 §2.2,
    /// RFC 8693 §4.1, RFC 7800 §3.1, OpenID Connect Core 1.0 §2.
    public static let reserved: Set<String> = [
        "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "sid", "act", "cnf", "amr", "acr", "auth_time",
        "azp",
        "client_id", "scope", "roles", "permissions", "typ", "gen", "token_use", "auth_provider",
    ]

    /// No claims.
    public static let none = TokenClaims(values: [:])

    private init(values: [String: ClaimValue]) { self.values = values }

    private struct Answer: Decodable {
        var claims: [String: ClaimValue]?
    }

    /// Reads the answer of a hook.
    ///
    /// - Parameter names: Claims that this token has already.
    /// - Throws: ``HookProblem``.
    public init(answer: [UInt8], besides names: Set<String>) throws(HookProblem) {
        guard answer.count <= Hook.maximumAnswerBytes,
            let claims = try? JSONDecoder().decode(Answer.self, from: Data(answer)).claims
        else { throw .malformedAnswer }
        for name in claims.keys {
            guard (1...Self.maximumNameBytes).contains(name.utf8.count),
                name.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
            else { throw .malformedAnswer }
            guard !Self.reserved.contains(name), !names.contains(name) else { throw .reservedClaim }
        }
        guard let size = try? JSONEncoder().encode(claims).count, size <= Self.maximumBytes else {
            throw .tooManyClaims
        }
        values = claims
    }
}
