#if Hummingbird
import HTTPTypes
public import Hummingbird
import OstiaryCore

/// The context of routes for signed-in users: its user is not optional, so that a handler behind it cannot omit the
/// check.
///
/// ```swift
/// router.add(middleware: BearerMiddleware(verifier: verifier))
///     .group("projects", context: SignedInContext<AppContext>.self)
///     .get { _, context in "hello \(context.user.id)" }
/// ```
public struct SignedInContext<ParentContext: AuthenticatableContext>: ChildRequestContext {
    /// The storage that Hummingbird keeps in every request context.
    public var coreContext: CoreRequestContextStorage
    /// The authenticated user.
    public let user: AuthenticatedUser

    /// Creates the context from one that ``BearerMiddleware`` has filled.
    ///
    /// - Throws: `HTTPError` with 401 if the parent context has no authenticated user.
    public init(context: ParentContext) throws {
        guard let user = context.authenticatedUser else {
            throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        coreContext = context.coreContext
        self.user = user
    }
}

/// Admits only users with a role; responds with 403 to all others.
public struct RoleMiddleware<Parent: AuthenticatableContext>: RouterMiddleware {
    /// The context that the middleware requires: one with a signed-in user.
    public typealias Context = SignedInContext<Parent>
    private let role: String

    /// Creates the middleware.
    ///
    /// - Parameter role: The name of the required role, compared byte by byte.
    public init(role: String) { self.role = role }

    /// Calls `next` if the user has the role.
    ///
    /// - Throws: `HTTPError` with 403 if the user lacks the role; the error of `next`.
    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard context.user.hasRole(role) else {
            throw HTTPError(.forbidden, headers: [.wwwAuthenticate: "Bearer error=\"insufficient_scope\""])
        }
        return try await next(request, context)
    }
}
#endif
