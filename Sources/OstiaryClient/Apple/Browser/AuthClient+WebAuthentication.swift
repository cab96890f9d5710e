#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
extension AuthClient {
    /// Signs a person in through the system's browser sheet over the frontmost window. Otherwise equal to
    /// ``signInWithBrowser(provider:redirectURI:using:)``, which does the same with any other browser.
    ///
    /// - Parameters:
    ///   - provider: The identity provider, for example `google`; `nil` to let the person choose if the backend asks
    ///     them, or if there is only one.
    ///   - redirectURI: The address at which the sign-in ends; `nil` for the one in the contract.
    ///   - options: The options of this sign-in; `nil` for ``ClientOptions/browserSignIn``.
    /// - Throws: The errors of ``signInWithBrowser(provider:redirectURI:using:)``.
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
