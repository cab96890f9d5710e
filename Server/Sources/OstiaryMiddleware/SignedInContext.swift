import HTTPTypes
public import Hummingbird
import OstiaryCore

/// The context of routes for signed-in people: its user is not optional, so that a handler behind it cannot forget to ask.
///
/// ```swift
/// router.add(middleware: BearerMiddleware(verifier: verifier))
///     .group("projects", context: SignedInContext<AppContext>.self)
///     .get { _, context in "hello \(context.user.id)" }
/// ```
public struct SignedInContext<ParentContext: AuthenticatableContext>: ChildRequestContext {
    public var coreContext: CoreRequestContextStorage
    public let user: AuthenticatedUser

    /// - Throws: 401 where nobody was authenticated before.
    public init(context: ParentContext) throws {
        guard let user = context.authenticatedUser else {
            throw HTTPError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        coreContext = context.coreContext
        self.user = user
    }
}

/// Lets only people with a role through; answers 403 to the others.
public struct RoleMiddleware<Parent: AuthenticatableContext>: RouterMiddleware {
    public typealias Context = SignedInContext<Parent>
    private let role: String

    public init(role: String) { self.role = role }

    public func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard context.user.hasRole(role) else {
            throw HTTPError(.forbidden, headers: [.wwwAuthenticate: "Bearer error=\"insufficient_scope\""])
        }
        return try await next(request, context)
    }
}
