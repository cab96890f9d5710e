import OstiaryConfiguration
import OstiaryEngine
import OstiaryEvents

extension Hooks {
    /// Creates the hooks of an app.
    init(_ configuration: HooksConfiguration, urls: EventURLPolicy, system: SystemDependencies) {
        func hook(_ configuration: HookConfiguration?) -> Hook? {
            configuration.map { configuration in
                let client = HookClient(
                    url: configuration.url, secret: configuration.secret, sender: WebhookClient(policy: urls),
                    system: system)
                return Hook(onFailure: configuration.onFailure) { try await client.ask($0) }
            }
        }
        self.init(
            beforeRegistration: hook(configuration.beforeRegistration), tokenClaims: hook(configuration.tokenClaims))
    }
}
