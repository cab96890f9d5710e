#if Hummingbird
public import AsyncHTTPClient
import Foundation
import HTTPTypes
public import NIOCore
import NIOHTTP1
import OstiaryContracts
public import OstiaryCore

/// Authenticates every request at an Ostiary server, through an app's `/verify`, so that a revoked session is rejected
/// immediately.
public struct RemoteVerifier: TokenVerifier {
    private let verifyURL: String
    private let client: HTTPClient
    private let timeout: TimeAmount

    /// Creates a verifier.
    ///
    /// - Parameters:
    ///   - appURL: The app's base URL, for example `https://auth.example.com/vici`, without a slash at the end.
    ///   - client: The HTTP client. It should follow no redirects, so that a token is sent to no other host;
    ///     ``configuration`` disables them.
    ///   - timeout: The time limit for one answer of the server.
    public init(appURL: String, client: HTTPClient, timeout: TimeAmount = .seconds(5)) {
        verifyURL = appURL + "/verify"
        self.client = client
        self.timeout = timeout
    }

    /// The recommended configuration of the HTTP client: redirects are not followed.
    public static var configuration: HTTPClient.Configuration {
        HTTPClient.Configuration(redirectConfiguration: .disallow)
    }

    /// Returns the user of an access token.
    ///
    /// - Throws: `AuthError.invalidAccessToken` if the server refuses the token or a header cannot carry the
    ///   token; `AuthError.signatureRefused` if the app requires a signature; `AuthError.unavailable(incident:)`
    ///   if there is no usable answer.
    public func user(of accessToken: Secret<String>) async throws(AuthError) -> AuthenticatedUser {
        try await user(of: accessToken, as: Tokens.type, named: [], requiring: nil)
    }

    /// Returns the user of an access token, and verifies the request's signature if it claims to have one, and the proof of
    /// the key that the token is bound to.
    ///
    /// - Throws: `AuthError.invalidAccessToken`, `AuthError.signatureRefused`, `AuthError.invalidDPoPProof`,
    ///   `AuthError.useDPoPNonce(nonce:)` or
    ///   `AuthError.unavailable(incident:)`.
    public func user(
        of accessToken: Secret<String>, asking request: ReceivedRequest
    ) async throws(AuthError) -> AuthenticatedUser {
        try await user(of: accessToken, asking: request, requiring: nil)
    }

    /// Returns the user of an access token that satisfies a requirement, which the server judges.
    ///
    /// - Throws: `AuthError.invalidAccessToken`, `AuthError.signatureRefused`, `AuthError.invalidDPoPProof`,
    ///   `AuthError.useDPoPNonce(nonce:)`, `AuthError.missingPermission`,
    ///   `AuthError.stepUpRequired(_:)` or
    ///   `AuthError.unavailable(incident:)`.
    public func user(
        of accessToken: Secret<String>, asking request: ReceivedRequest, requiring requirement: AccessRequirement
    ) async throws(AuthError) -> AuthenticatedUser {
        try await user(of: accessToken, asking: request, requiring: requirement as AccessRequirement?)
    }

    private func user(
        of accessToken: Secret<String>, asking request: ReceivedRequest, requiring requirement: AccessRequirement?
    ) async throws(AuthError) -> AuthenticatedUser {
        try await user(
            of: accessToken, as: request.presentsBoundToken ? DPoPHeader.tokenType : Tokens.type,
            named: Self.headers(of: request), requiring: requirement)
    }

    /// Returns the headers that describe a request, its signature and its proof; none for a request without both.
    private static func headers(of request: ReceivedRequest) -> [(String, String)] {
        guard request.claimsSignature || request.proof != nil else { return [] }
        let name = [("x-original-method", request.method), ("x-original-uri", request.target)]
        return name + request.signatureHeaders.map { ($0.key, $0.value) }
            + (request.proof.map { [(DPoPHeader.proof, $0)] } ?? [])
    }

    private func user(
        of accessToken: Secret<String>, as scheme: String, named headers: [(String, String)],
        requiring requirement: AccessRequirement?
    ) async throws(AuthError) -> AuthenticatedUser {
        let token = accessToken.reveal()
        // A text that a header cannot carry is not a token.
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .invalidAccessToken }
        var request = HTTPClientRequest(url: verifyURL + Self.query(requirement))
        request.headers.add(name: "authorization", value: "\(scheme) \(token)")
        request.headers.add(contentsOf: headers)
        let response: HTTPClientResponse
        do { response = try await answer(to: request) } catch { throw .unavailable(incident: "") }
        switch response.status {
        case .ok: return try Self.user(response.headers)
        case .unauthorized:
            let challenge = response.headers.first(name: "www-authenticate") ?? ""
            if let refusal = Self.refusal(ofProof: challenge, response.headers) { throw refusal }
            throw challenge.utf8.elementsEqual(SignatureRefusal.challenge.utf8)
                ? .signatureRefused : .invalidAccessToken
        case .forbidden where requirement != nil:
            // Only a step-up has the header.
            guard let header = response.headers.first(name: "www-authenticate") else { throw .missingPermission }
            throw .stepUpRequired(StepUpRequirement(challenge: nil, header: header))
        default: throw .unavailable(incident: "")
        }
    }

    /// Returns the refusal of a proof of possession; nil for any other.
    private static func refusal(ofProof challenge: String, _ headers: HTTPHeaders) -> AuthError? {
        for error in [AuthError.useDPoPNonce(nonce: headers.first(name: DPoPHeader.nonce) ?? ""), .invalidDPoPProof]
        where challenge.utf8.elementsEqual(DPoPHeader.challenge(error: error.code).utf8) {
            return error
        }
        return nil
    }

    private static func query(_ requirement: AccessRequirement?) -> String {
        guard let requirement else { return "" }
        // The characters of permissions and scopes stand for themselves in a query. Source: RFC 3986 §3.4.
        var conditions = requirement.permissions.map { "permission=\($0.text)" }
        if let scope = requirement.scope { conditions.append("scope=\(scope.text)") }
        if let level = requirement.authentication.level { conditions.append("acr=\(level.rawValue)") }
        if let seconds = requirement.authentication.maximumAgeSeconds { conditions.append("max_age=\(seconds)") }
        return conditions.isEmpty ? "" : "?" + conditions.joined(separator: "&")
    }

    /// Returns the response after its whole body was read, within the time limit.
    private func answer(to request: HTTPClientRequest) async throws -> HTTPClientResponse {
        try await withThrowingTaskGroup(of: HTTPClientResponse.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                // The client's own time limit ends with the head of the response.
                let response = try await client.execute(request, timeout: timeout)
                // The body adds nothing to the status; it is read so that the connection can be reused.
                _ = try await response.body.collect(upTo: 65_536)
                return response
            }
            group.addTask {
                try await Task.sleep(for: .nanoseconds(timeout.nanoseconds))
                throw HTTPClientError.deadlineExceeded
            }
            guard let response = try await group.next() else { throw HTTPClientError.deadlineExceeded }
            return response
        }
    }

    /// Returns the names in a header. They are ASCII; one that is not cannot come from an Ostiary server.
    private static func list(_ header: String) -> Set<String> {
        Set(
            header.utf8.split(separator: UInt8(ascii: ",")).filter { $0.allSatisfy { $0 < 0x80 } }
                .map { String(Substring($0)) })
    }

    private static func user(_ headers: HTTPHeaders) throws(AuthError) -> AuthenticatedUser {
        guard let id = headers.first(name: "x-auth-user").flatMap({ try? AccountID($0) }),
            let session = headers.first(name: "x-auth-session").flatMap({ try? SessionID($0) })
        else { throw .unavailable(incident: "") }
        let user = AuthenticatedUser(
            id: id, session: session, roles: headers.first(name: "x-auth-roles").map(Self.list) ?? [],
            permissions: (headers.first(name: "x-auth-permissions").map(Self.list) ?? []).sorted()
                .compactMap { try? PermissionPattern($0) },
            actor: headers.first(name: "x-auth-actor"))
        guard let level = headers.first(name: "x-auth-acr").flatMap(AuthenticationLevel.init),
            let time = headers.first(name: "x-auth-time").flatMap(Int.init)
        else { return user }
        var known = user
        known.authentication = SessionAuthentication(
            level: level, time: Date(timeIntervalSince1970: Double(time)),
            methods: headers.first(name: "x-auth-amr").map(Self.list)?.sorted() ?? [])
        return known
    }
}
#endif
