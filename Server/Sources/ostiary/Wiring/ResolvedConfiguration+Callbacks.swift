import OstiaryConfiguration
import OstiaryCore
import OstiaryDoctor
import OstiaryEngine
import OstiaryIdentities

extension ResolvedConfiguration {
    /// The redirect URIs that the operator registers at external identity providers.
    var callbacks: [CallbackFacts] {
        apps.flatMap { app in
            app.identities.filter { $0.usesBrowser && !$0.isBuiltIn }.flatMap { identity in
                urls(of: identity, app).map {
                    CallbackFacts(app: app.settings.name.text, provider: identity.name, url: $0)
                }
            }
        }
    }

    private func urls(of identity: IdentityConfiguration, _ app: App) -> [String] {
        // A social sign-in at such a provider returns to the app itself.
        if identity.kind == .auth0, Auth0Provider.returnsToApp, app.settings.rules.identifier != .subject {
            return app.settings.redirectURIs.first.map { [$0] } ?? []
        }
        let path = app.settings.callbackPath(of: identity.name, among: app.browserProviders)
        return names(of: app).map { $0 + path }
    }
}
