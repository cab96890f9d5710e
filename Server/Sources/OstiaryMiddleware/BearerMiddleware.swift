import Crypto
import HTTPTypes
public import Hummingbird
import NIOCore
import OstiaryContracts
import OstiaryCore

/// A request context that can hold who is asking.
public protocol AuthenticatableContext: RequestContext {
    var authenticatedUser: AuthenticatedUser? { get set }
}

/// Checks the bearer token of every request and keeps whose it is in the context; answers 401 itself where it is no good.
///
/// So it does with the signature of a signed request, whose body it collects to compare it with its digest.
public struct BearerMiddleware<Context: AuthenticatableContext>: RouterMiddleware {
    private let verifier: any TokenVerifier
    private let maximumSignedBytes: Int

    /// - Parameter maximumSignedBytes: A signed request with a longer body is answered with 413.
    public init(verifier: any TokenVerifier, maximumSignedBytes: Int = 1_048_576) {
        self.verifier = verifier
        self.maximumSignedBytes = maximumSignedBytes
    }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        let asked = AskedRequest(request)
        do throws(AuthError) {
            context.authenticatedUser = try await verifier.user(of: Self.token(request), asking: asked)
        } catch {
            switch error {
            case .unavailable, .notConfigured: throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "5"])
            // Says nothing about the token: a client that got a 401 would throw a good one away.
            case .busy(let seconds), .tooManyAttempts(let seconds):
                throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "\(seconds)"])
            // The token may be good: a client that took this for the token's refusal would refresh it.
            case .signatureRefused: throw Self.signatureRefused
            default: throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
            }
        }
        guard asked.claimsSignature else { return try await next(request, context) }
        return try await next(checkedBody(of: request, asked), context)
    }

    /// The request with its body collected, if that is the one that was signed.
    ///
    /// After the signature, so that nobody without a key can make us collect.
    private func checkedBody(of request: Request, _ asked: AskedRequest) async throws -> Request {
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

    /// The one bearer token of a request. Two are none: nobody can say which of them was meant.
    private static func token(_ request: Request) throws(AuthError) -> Secret<String> {
        let values = request.headers[values: .authorization]
        guard values.count == 1, let token = values.first.flatMap(BearerToken.read) else { throw .invalidAccessToken }
        return Secret(token)
    }
}
