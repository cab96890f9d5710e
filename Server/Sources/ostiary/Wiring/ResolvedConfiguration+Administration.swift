import OstiaryConfiguration
import OstiaryContracts
import OstiaryEngine
import OstiaryHTTP

extension ResolvedConfiguration {
    /// Returns the apps as administrators see them, the built-in provider's last.
    func administered(_ engines: [AppName: AuthEngine]) -> [AdministeredApp] {
        let apps = apps.compactMap { app -> AdministeredApp? in
            guard let engine = engines[app.settings.name] else { return nil }
            let sources = app.identities.map {
                AdministeredApp.IdentitySource(name: $0.name, kind: $0.kind.rawValue)
            }
            return AdministeredApp(
                engine: engine, title: app.configuration.displayName, contract: app.codec.contract.name,
                basePath: app.configuration.basePath.text, identitySources: sources.isEmpty ? [.local] : sources)
        }
        let provider = engines[.provider].map { engine in
            AdministeredApp(
                engine: engine, title: configuration.idp?.name ?? "", contract: nil, basePath: ProviderServer.base,
                identitySources: [.local])
        }
        return apps + [provider].compactMap(\.self)
    }
}

extension AdministeredApp.IdentitySource {
    fileprivate static let local = Self(name: "local", kind: IdentityConfiguration.Kind.local.rawValue)
}
