public import Foundation
import OstiaryCore

extension AuthClient {
    /// Signs somebody in through the browser: at the backend's own page where the contract has one, else at a social
    /// identity provider.
    ///
    /// One at a time: a second is refused until the first has ended or its task was cancelled, which closes the browser.
    /// Once the browser has come back and the server has answered, the person is signed in, cancelled or not.
    ///
    /// - Parameters:
    ///   - provider: For example `google`. Nil to let the person choose, where the backend asks them, or where there is
    ///     one only.
    ///   - redirectURI: Where the browser is to end; nil for where the contract says.
    /// - Throws: ``ClientError/cancelledByUser`` if the person closed the browser;
    ///   ``ClientError/browserAnswer(_:)`` if it came back without a code for this sign-in, or with the provider's
    ///   refusal; ``ClientError/refused(_:)`` if the server does not take the code;
    ///   ``ClientError/invalidRequest(_:)`` for a second sign-in, a browser that cannot be opened as the app is set up, a
    ///   redirect URI or provider that is missing or cannot be used; ``ClientError/unsupported(_:)`` for a contract
    ///   without the browser; ``ClientError/cancelled`` if the task was.
    @discardableResult
    public func signInWithBrowser(
        provider: String? = nil, redirectURI: String? = nil, using presenter: any BrowserPresenter
    ) async throws(ClientError) -> SessionSnapshot {
        try await signInWithBrowser(
            provider: provider, redirectURI: redirectURI, options: options.browserSignIn, using: presenter)
    }

    /// Signs in through the browser as ``signInWithBrowser(provider:redirectURI:using:)`` does, with options for this sign-in
    /// instead of ``ClientOptions/browserSignIn``.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` also for a login hint or parameter that the authorization request has no
    ///   place for: where the browser begins at the backend's own page, the contract fixes them all.
    @discardableResult
    public func signInWithBrowser(
        provider: String? = nil, redirectURI: String? = nil, options: BrowserSignInOptions,
        using presenter: any BrowserPresenter
    ) async throws(ClientError) -> SessionSnapshot {
        let flow = browserFlow(options)
        return try await begin(by: flow.method, label: provider ?? "") { () throws(ClientError) in
            try await flow.signedIn(provider: provider, redirectURI: redirectURI, by: presenter)
        }
    }

    /// Hands over an address that the system opened in the app, for `onOpenURL`.
    ///
    /// Taken is only what answers a sign-in in the browser that is waiting: it begins with the very redirect URI, and
    /// either carries that sign-in's state, or the server will ask this device for the verifier it began with. All else,
    /// and everything while no sign-in waits, is ignored. Where a backend knows neither
    /// (``ClientOptions/bindsBrowserSignIns`` off), the presenter alone is believed.
    ///
    /// - Returns: Whether it was taken.
    @discardableResult
    public func open(_ url: URL) -> Bool { browserTurn.take(url.absoluteString) }

    /// Asks the backend whether it would send a browser back to that redirect URI.
    ///
    /// - Returns: False if it refuses. A backend that has no page of its own for browsers throws
    ///   ``ClientError/unsupported(_:)``.
    public func acceptsBrowserSignIn(
        endingAt redirectURI: String, provider: String? = nil
    ) async throws(ClientError) -> Bool {
        try await browserFlow(options.browserSignIn).isAccepted(redirectURI: redirectURI, provider: provider)
    }

    private func browserFlow(_ choices: BrowserSignInOptions) -> BrowserFlow {
        BrowserFlow(
            auth: auth, turn: browserTurn, surroundings: options.surroundings, bindsDevice: options.bindsBrowserSignIns,
            options: choices)
    }
}
