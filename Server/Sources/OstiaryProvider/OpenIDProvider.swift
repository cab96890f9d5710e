import OstiaryCore
public import OstiaryEngine

/// The built-in OpenID provider: a directory of people, and what it tells clients about them.
///
/// Its people are the accounts of an app of its own, served by an engine like any other app's; its sessions, in the browser
/// and at clients, are sessions of those accounts, so that what ends a session ends it here too.
///
/// Source: OpenID Connect Core 1.0, OpenID Connect Discovery 1.0, RFC 6749, RFC 7636, RFC 9700.
public struct OpenIDProvider: Sendable {
    public let settings: ProviderSettings
    /// The directory's engine.
    public let engine: AuthEngine

    public init(settings: ProviderSettings, engine: AuthEngine) {
        self.settings = settings
        self.engine = engine
    }
}
