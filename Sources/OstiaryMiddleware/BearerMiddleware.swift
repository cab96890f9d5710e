#if Hummingbird
import Crypto
import HTTPTypes
public import Hummingbird
import NIOCore
import OstiaryContracts
public import OstiaryCore

/// A request context that can hold the authenticated user.
public protocol AuthenticatableContext: RequestContext {
    /// The user that ``BearerMiddleware`` authenticated; nil before it ran.
    var authenticatedUser: AuthenticatedUser? { get set }
}

/// Authenticates the bearer token of every request and stores its user in the context; responds with 401 to a request
/// whose token is not valid.
///
/// It verifies the signature of a signed request as well, and collects its body to compare it with the signed digest. For a
/// token that is bound to a key it verifies the proof of the key.
public struct BearerMiddleware<Context: AuthenticatableContext>: RouterMiddleware {
    private let verifier: any TokenVerifier
    private let maximumSignedBytes: Int
    private var requirement: AccessRequirement?

    /// Creates the middleware.
    ///
    /// - Parameters:
    ///   - verifier: The verifier that authenticates each request's access token.
    ///   - maximumSignedBytes: The size limit of a signed request's body, in bytes. A longer body is rejected with 413.
    public init(verifier: any TokenVerifier, maximumSignedBytes: Int = 1_048_576) {
        self.verifier = verifier
        self.maximumSignedBytes = maximumSignedBytes
    }

    /// Returns a middleware that in addition requires a level or a maximum age of the authentication. Of several requirements the
    /// highest level and the lowest age hold.
    ///
    /// A request whose authentication does not satisfy it is answered with 403 and the header of RFC 9470 §3; the client
    /// steps up and repeats the request. It is 403 and not 401, which clients understand as signed out.
    ///
    /// ```swift
    /// router.group("payments")
    ///     .add(middleware: BearerMiddleware(verifier: verifier).requires(acr: .aal2, maxAge: .seconds(300)))
    /// ```
    ///
    /// - Parameters:
    ///   - acr: The required level; nil for any.
    ///   - maxAge: The maximum age of each factor that the level needs, rounded down to seconds; nil for any age.
    public func requires(acr: AuthenticationLevel? = nil, maxAge: Duration? = nil) -> BearerMiddleware {
        var required = requirement ?? AccessRequirement()
        required.authentication = required.authentication.combined(
            with: StepUpRequirement(
                level: acr, maximumAgeSeconds: maxAge.map { Int(min(max(0, $0.components.seconds), 999_999_999)) }))
        return requiring(required)
    }

    /// Returns a middleware that in addition requires permissions; a request of an account without all of them is answered with
    /// 403. Earlier requirements hold as well.
    ///
    /// ```swift
    /// router.group("videos")
    ///     .add(middleware: try BearerMiddleware(verifier: verifier).requires(.permission("videos:write")))
    /// ```
    ///
    /// - Throws: `FieldProblem.notSupported` if an earlier requirement has permissions in another scope: the server judges a
    ///   request in one scope.
    public func requires(_ requirement: AccessRequirement) throws(FieldProblem) -> BearerMiddleware {
        requiring(try self.requirement?.combined(with: requirement) ?? requirement)
    }

    private func requiring(_ requirement: AccessRequirement) -> BearerMiddleware {
        var middleware = self
        middleware.requirement = requirement
        return middleware
    }

    /// Calls `next` with the authenticated user in the context.
    ///
    /// - Throws: `HTTPError` with 401 if the token or the signature is refused, 403 for a requirement that is not
    ///   satisfied, 413 if the body of a signed request is
    ///   too long, and 503 with `Retry-After` if the verifier is unavailable or overloaded; the error of `next`.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let asked = ReceivedRequest(request)
        do throws(AuthError) {
            context.authenticatedUser = try await user(of: Self.token(request), asking: asked)
        } catch {
            switch error {
            case .unavailable, .notConfigured: throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "5"])
            // Not a verdict on the token: a client that received a 401 would discard a valid token.
            case .busy(let seconds), .tooManyAttempts(let seconds):
                throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "\(seconds)"])
            // The token may be valid: a client that mistook this for a refusal of the token would refresh it.
            case .signatureRefused: throw Self.signatureRefused
            // The token may be valid, as above. Source: RFC 9449 §7.1, §9.
            case .invalidDPoPProof: throw Self.proofRefused(error)
            case .useDPoPNonce(let nonce):
                var refused = Self.proofRefused(error)
                if let name = HTTPField.Name(DPoPHeader.nonce) { refused.headers[name] = nonce }
                throw refused
            case .missingPermission:
                throw HTTPError(.forbidden, headers: [.wwwAuthenticate: "Bearer error=\"insufficient_scope\""])
            case .stepUpRequired(let required):
                throw HTTPError(.forbidden, headers: [.wwwAuthenticate: required.header])
            default: throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
            }
        }
        guard asked.claimsSignature else { return try await next(request, context) }
        return try await next(checkedBody(of: request, asked), context)
    }

    private func user(
        of accessToken: Secret<String>, asking request: ReceivedRequest
    ) async throws(AuthError) -> AuthenticatedUser {
        guard let requirement else { return try await verifier.user(of: accessToken, asking: request) }
        return try await verifier.user(of: accessToken, asking: request, requiring: requirement)
    }

    /// Returns the request with its body collected, if the body matches the signed digest.
    ///
    /// Runs after the signature check, so that an unauthenticated caller cannot make the service buffer a body.
    private func checkedBody(of request: Request, _ asked: ReceivedRequest) async throws -> Request {
        var request = request
        let body = try await request.collectBody(upTo: maximumSignedBytes)
        guard asked.contentSHA256 == Array(SHA256.hash(data: body.readableBytesView)) else {
            throw Self.signatureRefused
        }
        return request
    }

    private static var signatureRefused: HTTPError {
        HTTPError(.unauthorized, headers: [.wwwAuthenticate: SignatureRefusal.challenge])
    }

    private static func proofRefused(_ error: AuthError) -> HTTPError {
        HTTPError(.unauthorized, headers: [.wwwAuthenticate: DPoPHeader.challenge(error: error.code)])
    }

    /// Returns the one access token of a request, which may be bound to a key. Two `Authorization` fields count as none: they are ambiguous.
    private static func token(_ request: Request) throws(AuthError) -> Secret<String> {
        let values = request.headers[values: .authorization]
        guard values.count == 1, let header = values.first,
            let token = BearerToken.read(header) ?? DPoPHeader.token(in: header)
        else { throw .invalidAccessToken }
        return Secret(token)
    }
}
#endif
