import AsyncHTTPClient
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import OstiaryHTTP
import OstiaryCore
import OstiaryMiddleware

/// A third party's backend, whose routes are for the users of an Ostiary server.
struct ProtectedService {
    struct AppContext: AuthenticatableContext {
        var coreContext: CoreRequestContextStorage
        var authenticatedUser: AuthenticatedUser?

        init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
    }

    /// Serves on a free port, and has the app at `appURL` verify every token.
    ///
    /// - Parameter timeout: The time limit of one request to the app, which is retried until then if the server is
    /// unavailable.
    static func run<Result>(
        askingAt appURL: String, timeout: TimeAmount = .seconds(60), logger: Logger,
        _ body: (LiveServer) async throws -> Result
    ) async throws -> Result {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: RemoteVerifier.configuration)
        do {
            let responder = try routes(verifier: RemoteVerifier(appURL: appURL, client: client, timeout: timeout))
                .buildResponder()
            let result = try await LiveServer.serve(responder, logger: logger) { port in
                try await body(LiveServer(port: port, metrics: .init()))
            }
            try await client.shutdown()
            return result
        } catch {
            try await client.shutdown()
            throw error
        }
    }

    private static func routes(verifier: any TokenVerifier) throws -> Router<AppContext> {
        let router = Router(context: AppContext.self)
        router.get("open") { _, _ in "for everyone" }
        let signedIn = router.group()
            .add(middleware: BearerMiddleware(verifier: verifier, maximumSignedBytes: 1000))
            .group("people", context: SignedInContext<AppContext>.self)
        signedIn.get("me") { _, context in
            "\(context.user.id) in \(context.user.session) as \(context.user.roles.sorted().joined(separator: "+"))"
        }
        signedIn.get("actor") { _, context in context.user.actor ?? "the owner" }
        signedIn.post("echo") { request, _ in
            String(buffer: try await request.body.collect(upTo: 10_000))
        }
        signedIn.group("admin").add(middleware: RoleMiddleware(role: "admin"))
            .get { _, context in "admin \(context.user.id)" }
        router.group("payments")
            .add(middleware: BearerMiddleware(verifier: verifier).requires(maxAge: .seconds(300)))
            .group(context: SignedInContext<AppContext>.self)
            .get { _, context in "authenticated by \(context.user.authentication.methods.joined(separator: "+"))" }
        router.group("keys").add(middleware: BearerMiddleware(verifier: verifier).requires(acr: .aal2))
            .get { _, _ in "for two factors" }
        router.group("videos")
            .add(
                middleware: try BearerMiddleware(verifier: verifier)
                    .requires(.permission("videos:write", in: "project:42"))
            )
            .get { _, _ in "for editors" }
        router.group("releases")
            .add(
                middleware: try BearerMiddleware(verifier: verifier)
                    .requires(.permission("videos:write")).requires(acr: .aal1).requires(.permission("images:read"))
            )
            .get { _, _ in "for both permissions" }
        // No middleware authenticates this route: the mistake that the context's type exists to prevent.
        router.group("forgotten", context: SignedInContext<AppContext>.self).get { _, context in "\(context.user.id)" }
        return router
    }
}
