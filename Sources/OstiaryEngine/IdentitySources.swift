public import OstiaryCore

/// An app's external identity providers and its external credential provider.
public struct IdentitySources: Sendable {
    /// The providers that people sign in at in a browser, in the order in which they are offered.
    public var providers: [any IdentityProvider]
    /// The public settings of the first provider, sent to unauthenticated callers; `nil` for providers without.
    public var socialConfiguration: SocialConfiguration?
    /// The external provider that verifies the app's passwords; `nil` where this server does.
    public var credentialProvider: (any ExternalCredentialProvider)?

    /// Creates the sources from their parts.
    public init(
        providers: [any IdentityProvider] = [], socialConfiguration: SocialConfiguration? = nil,
        credentialProvider: (any ExternalCredentialProvider)? = nil
    ) {
        self.providers = providers
        self.socialConfiguration = socialConfiguration
        self.credentialProvider = credentialProvider
    }

    /// Returns the provider of that name, compared byte for byte; `nil` if there is none.
    public func provider(named name: String) -> (any IdentityProvider)? {
        providers.first { $0.description.name.utf8.elementsEqual(name.utf8) }
    }

    /// Returns `true` if exactly one of the providers, the external credential provider included, creates accounts of
    /// that kind.
    public func isOnlyProvider(ofKind kind: String) -> Bool {
        let kinds = providers.map(\.description.kind) + [credentialProvider?.kind].compactMap(\.self)
        return kinds.count { $0.utf8.elementsEqual(kind.utf8) } == 1
    }

    /// Returns the provider for a service of that name, and the provider's own name for it; `nil` if none offers it.
    public func provider(offering service: String) -> (provider: any IdentityProvider, connection: String?)? {
        for provider in providers {
            if let connection = provider.description.connections[service] { return (provider, connection) }
            if provider.description.connections.isEmpty, provider.description.name == service { return (provider, nil) }
        }
        return nil
    }
}
