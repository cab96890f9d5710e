import OstiaryConfiguration
import OstiaryCore
import OstiaryDoctor
import OstiaryEngine

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
        // A social sign-in at Auth0 returns to the app itself.
        if identity.kind == .auth0, app.settings.rules.identifier != .subject {
            return Array(app.settings.redirectURIs.registered.prefix(1))
        }
        let path = app.settings.callbackPath(of: identity.name, among: app.browserProviders)
        return names(of: app).map { $0 + path }
    }
}
