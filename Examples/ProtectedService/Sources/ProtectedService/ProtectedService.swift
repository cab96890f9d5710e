import AsyncHTTPClient
import Hummingbird
import OstiaryMiddleware

/// A service whose routes accept the access tokens of an Ostiary server.
///
/// It verifies each token at the server's `/verify`, so that a session that was signed out is rejected on its next
/// request.
///
///     export AUTH_URL=http://127.0.0.1:3001/vici PORT=8080
///     swift run ProtectedService
@main
struct ProtectedService {
    static func main() async throws {
        let environment = Environment()
        guard let appURL = environment.get("AUTH_URL") else { throw MissingVariable(name: "AUTH_URL") }
        let port = environment.get("PORT", as: Int.self) ?? 8080
        // A client that follows no redirects, so that a token reaches no other host.
        try await HTTPClient.withHTTPClient(configuration: RemoteVerifier.configuration) { client in
            let verifier = RemoteVerifier(appURL: appURL, client: client)
            let application = Application(
                router: router(verifier: verifier),
                configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)))
            try await application.runService()
        }
    }

    /// Returns the routes: one that is open, those of signed-in users, and those of administrators.
    static func router(verifier: any TokenVerifier) -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.get("health") { _, _ in "healthy" }

        // Behind `SignedInContext` the user is not optional: a route cannot be added without the check.
        let signedIn = router.group()
            .add(middleware: BearerMiddleware(verifier: verifier))
            .group("account", context: SignedInContext<AppContext>.self)
        signedIn.get { _, context in Account(context.user) }

        signedIn.group("reports")
            .add(middleware: RoleMiddleware(role: "admin"))
            .get { _, context in "reports for \(context.user.id)" }
        return router
    }
}

/// The context of every request; ``BearerMiddleware`` stores the user of its token here.
struct AppContext: AuthenticatableContext {
    var coreContext: CoreRequestContextStorage
    var authenticatedUser: AuthenticatedUser?

    init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
}

/// The account that a token belongs to, as JSON.
struct Account: ResponseEncodable {
    let id: String
    let roles: [String]

    init(_ user: AuthenticatedUser) {
        id = "\(user.id)"
        roles = user.roles.sorted()
    }
}

/// An environment variable that the service requires and does not find.
struct MissingVariable: Error {
    let name: String
}
