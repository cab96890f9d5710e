import HTTPTypes
public import Hummingbird
import OstiaryCore

/// A request context that can hold who is asking.
public protocol AuthenticatableContext: RequestContext {
    var authenticatedUser: AuthenticatedUser? { get set }
}

/// Checks the bearer token of every request and keeps whose it is in the context; answers 401 itself where it is no good.
public struct BearerMiddleware<Context: AuthenticatableContext>: RouterMiddleware {
    private let verifier: any TokenVerifier

    public init(verifier: any TokenVerifier) { self.verifier = verifier }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        do throws(AuthError) {
            context.authenticatedUser = try await verifier.user(of: Self.token(request))
        } catch {
            switch error {
            case .unavailable, .notConfigured: throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "5"])
            // Says nothing about the token: a client that got a 401 would throw a good one away.
            case .busy(let seconds), .tooManyAttempts(let seconds):
                throw HTTPError(.serviceUnavailable, headers: [.retryAfter: "\(seconds)"])
            default: throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
            }
        }
        return try await next(request, context)
    }

    /// The one bearer token of a request. Two are none: nobody can say which of them was meant.
    private static func token(_ request: Request) throws(AuthError) -> Secret<String> {
        let values = request.headers[values: .authorization]
        guard values.count == 1, let value = values.first else { throw .invalidAccessToken }
        let parts = value.split(separator: " ")
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { throw .invalidAccessToken }
        return Secret(String(parts[1]))
    }
}
