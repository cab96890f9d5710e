#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
extension AuthClient {
    /// Signs somebody in through the system's browser sheet, over the window in front, as
    /// ``signInWithBrowser(provider:redirectURI:using:)`` does with any other browser.
    @discardableResult
    public func signInWithBrowser(
        provider: String? = nil, redirectURI: String? = nil, options: BrowserSignInOptions? = nil
    ) async throws(ClientError) -> SessionSnapshot {
        try await signInWithBrowser(
            provider: provider, redirectURI: redirectURI, options: options ?? self.options.browserSignIn,
            using: WebAuthenticationPresenter())
    }
}
#endif
