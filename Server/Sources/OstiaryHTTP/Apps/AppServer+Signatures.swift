import Crypto
import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension AppServer {
    /// Checks that an authenticated request is signed, where the app requires it or the request carries a signature.
    ///
    /// - Parameters:
    ///   - request: Its path is relative to the app's base.
    ///   - baseURL: The client's base URL, which precedes that path; nil inside the process.
    /// - Throws: ``AuthError/signatureRefused``, or the refusal of the token.
    func checkSignature(
        of request: WireRequest, for kind: OperationKind, baseURL: String?
    ) async throws(AuthError) {
        guard kind.description.authorization == .required, mustVerify(request, isNeeded: kind.isSigned),
            engine.app.requestSigning != .off, try !isEnrolment(request)
        else { return }
        var request = request
        request.path = SignedTarget.path(of: baseURL) + request.path
        guard let signed = try claimedSignature(of: request, isNeeded: kind.isSigned) else { return }
        guard signed.contentSHA256 == Array(SHA256.hash(data: request.body)) else { throw .signatureRefused }
        _ = try await bearer(of: request, signing: signed, by: engine, requiringProof: false)
    }

    /// Authenticates the request that a proxy forwards. Its body is not here: the service that receives the body
    /// compares it with the signed digest.
    func bearer(ofForwarded request: WireRequest, baseURL: String) async throws(AuthError) -> AuthenticatedSession {
        var request = request
        let basePath = SignedTarget.path(of: baseURL)
        request.path = basePath + request.path
        let forwarded = SignedTarget.forwarded(request)
        // The origin is a configured one: a header could name any.
        let origin = baseURL.dropLast(basePath.count)
        let proof = PresentedProof(of: forwarded ?? request, url: forwarded.map { origin + $0.path } ?? "")
        let engine = engine.serving(Caller(dpopProof: proof))
        guard engine.app.requestSigning != .off,
            let signed = try claimedSignature(of: forwarded, isNeeded: true)
        else { return try await engine.bearer(of: try Self.token(of: request)) }
        return try await bearer(of: request, signing: signed, by: engine, requiringProof: true)
    }

    /// Returns `true` for a request that needs a signature or carries one.
    private func mustVerify(_ request: WireRequest, isNeeded: Bool) -> Bool {
        isNeeded && engine.app.requestSigning == .required || SignedRequest.isClaimed(by: request.headers)
    }

    /// - Returns: Nil for a request that carries no signature and needs none.
    private func claimedSignature(
        of request: WireRequest?, isNeeded: Bool
    ) throws(AuthError) -> SignedRequest? {
        guard let request else { throw .signatureRefused }
        guard mustVerify(request, isNeeded: isNeeded) else { return nil }
        // Without a token there is no account that the signature could belong to.
        _ = try Self.token(of: request)
        guard let signed = SignedRequest(request) else { throw .signatureRefused }
        return signed
    }

    private func bearer(
        of request: WireRequest, signing signed: SignedRequest, by engine: AuthEngine, requiringProof: Bool
    ) async throws(AuthError) -> AuthenticatedSession {
        try await engine.bearer(
            of: try Self.token(of: request),
            signing: PresentedSignature(
                keyID: signed.input.keyID, created: signed.input.created, nonce: signed.input.nonce, base: signed.base,
                signature: signed.signature), requiringProof: requiringProof)
    }

    /// Returns `true` for a request of a sign-in that must add a factor: it has no session yet, whose key could sign it.
    private func isEnrolment(_ request: WireRequest) throws(AuthError) -> Bool {
        engine.isEnrolment(try Self.token(of: request))
    }

    private static func token(of request: WireRequest) throws(AuthError) -> Secret<String> {
        guard let token = request.accessToken else { throw .invalidAccessToken }
        return token
    }
}

/// The path that a client signed as part of its request line.
enum SignedTarget {
    /// Returns the path of a base URL: the part after its authority. The base URL is the configured one, so a proxy
    /// that strips a prefix does not invalidate signatures.
    static func path(of baseURL: String?) -> String {
        guard let baseURL, let authority = baseURL.range(of: "://")?.upperBound else { return "" }
        return String(baseURL[authority...].drop { $0 != "/" })
    }

    /// Returns the request that a proxy asks about, from its headers; the request itself where they name none.
    ///
    /// - Returns: Nil where the headers hold half a pair, or two pairs: a proxy writes one pair and may pass on a
    ///   client's other pair, and the two cannot be told apart.
    static func forwarded(_ request: WireRequest) -> WireRequest? {
        let named = pairs.map { (method: request.headers[$0.method], target: request.headers[$0.target]) }
            .filter { $0.method != nil || $0.target != nil }
        guard let first = named.first else { return request }
        guard named.allSatisfy({ $0 == first }), let method = first.method, let target = first.target,
            target.utf8.first == UInt8(ascii: "/")
        else { return nil }
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        var forwarded = request
        forwarded.method = method
        forwarded.path = String(Substring(path))
        forwarded.query = String(Substring(target.utf8[path.endIndex...].dropFirst()))
        return forwarded
    }

    /// The first pair is written by nginx if configured so, the second by Traefik and Caddy by default.
    private static let pairs = [
        (method: "x-original-method", target: "x-original-uri"),
        (method: "x-forwarded-method", target: "x-forwarded-uri"),
    ]

    /// The headers that name a proxied request.
    static let headers = pairs.flatMap { [$0.method, $0.target] }
}
