public import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Signs in through the browser: at the backend's own page where the contract has one, else at a provider.
    ///
    /// Leaving the screen closes the browser. A person who closes it is told nothing: they know.
    ///
    /// - Parameter provider: One of ``AuthScreens/socialProviders``; nil to let the person choose at the backend's page.
    @discardableResult
    public func signInWithBrowser(
        provider: String? = nil, using presenter: any BrowserPresenter
    ) -> Task<Void, Never> {
        begin(
            .browserSignIn(provider: provider),
            again: { $0.signInWithBrowser(provider: provider, using: presenter) }
        ) { [auth] () async throws(ClientError) in
            _ = try await auth.signInWithBrowser(provider: provider, redirectURI: nil, using: presenter)
        } take: { model, _ in
            model.arrived()
        }
    }
}
