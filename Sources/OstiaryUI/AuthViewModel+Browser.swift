public import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Signs in through the browser: on the server's own page if the contract has one, otherwise at a provider.
    ///
    /// Leaving the screen closes the browser. If the person closes it, no error is shown.
    ///
    /// - Parameters:
    ///   - provider: One of ``AuthScreens/socialProviders``; `nil` to let the person choose on the server's page.
    ///   - presenter: The browser.
    @discardableResult
    public func signInWithBrowser(
        provider: String? = nil, using presenter: any BrowserPresenter
    ) -> Task<Void, Never> {
        begin(
            .browserSignIn(provider: provider),
            retrying: { $0.signInWithBrowser(provider: provider, using: presenter) }
        ) { [auth] () async throws(ClientError) in
            _ = try await auth.signInWithBrowser(provider: provider, redirectURI: nil, using: presenter)
        } take: { model, _ in
            model.didSignIn()
        }
    }
}
