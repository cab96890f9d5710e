/// The redirect URI that an external identity provider of one app must know.
package struct CallbackFacts: Hashable, Sendable {
    package var app: String
    /// The name of the provider.
    package var provider: String
    package var url: String

    package init(app: String, provider: String, url: String) {
        self.app = app
        self.provider = provider
        self.url = url
    }
}
