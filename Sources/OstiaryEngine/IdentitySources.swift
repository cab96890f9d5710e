public import OstiaryCore

/// Who vouches for the people of an app, besides its own passwords and codes.
public struct IdentitySources: Sendable {
    /// Providers that people sign in at in a browser, in the order in which they are offered.
    public var providers: [any IdentityProvider]
    /// What is told of the first provider to whoever asks for the social settings; nil for providers without.
    public var socialConfiguration: SocialConfiguration?
    /// Who checks passwords in our place; nil where we do.
    public var passwordAuthority: (any PasswordAuthority)?

    public init(
        providers: [any IdentityProvider] = [], socialConfiguration: SocialConfiguration? = nil,
        passwordAuthority: (any PasswordAuthority)? = nil
    ) {
        self.providers = providers
        self.socialConfiguration = socialConfiguration
        self.passwordAuthority = passwordAuthority
    }

    /// The provider of that name.
    public func provider(named name: String) -> (any IdentityProvider)? {
        providers.first { $0.description.name.utf8.elementsEqual(name.utf8) }
    }

    /// Whether exactly one of them makes accounts of that kind.
    public func isAlone(ofKind kind: String) -> Bool {
        let kinds = providers.map(\.description.kind) + [passwordAuthority?.kind].compactMap(\.self)
        return kinds.count { $0.utf8.elementsEqual(kind.utf8) } == 1
    }

    /// The provider for a service people know by that name, and what the provider calls it.
    public func provider(offering service: String) -> (provider: any IdentityProvider, connection: String?)? {
        for provider in providers {
            if let connection = provider.description.connections[service] { return (provider, connection) }
            if provider.description.connections.isEmpty, provider.description.name == service { return (provider, nil) }
        }
        return nil
    }
}
