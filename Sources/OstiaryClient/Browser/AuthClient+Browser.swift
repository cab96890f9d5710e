public import Foundation
import OstiaryCore

extension AuthClient {
    /// Signs in through the browser: at the backend's own page if the contract has one, else at a social identity
    /// provider.
    ///
    /// Only one such sign-in runs at a time: a second is rejected until the first has ended or its task was cancelled,
    /// which closes the browser. Once the browser has returned and the server has answered, the user is signed in even
    /// if the task is cancelled.
    ///
    /// - Parameters:
    ///   - provider: The provider's name, for example `google`. Nil to let the user choose, if the backend offers the
    ///     choice, or if there is only one.
    ///   - redirectURI: The URI at which the browser ends; nil for the contract's.
    ///   - presenter: The browser, for example ASWebAuthenticationSession.
    /// - Throws: ``ClientError/cancelledByUser`` if the user closed the browser; ``ClientError/browserAnswer(_:)`` if
    ///   it returned without a code for this sign-in, or with the provider's refusal; ``ClientError/refused(_:)`` if
    ///   the server rejects the code; ``ClientError/invalidRequest(_:)`` for a second sign-in, a browser that cannot be
    ///   opened because of the app's configuration, a redirect URI or provider that is missing or cannot be used;
    ///   ``ClientError/unsupported(_:)`` for a contract without sign-in in the browser; ``ClientError/cancelled`` if
    ///   the task was cancelled.
    @discardableResult
    public func signInWithBrowser(
        provider: String? = nil, redirectURI: String? = nil, using presenter: any BrowserPresenter
    ) async throws(ClientError) -> SessionSnapshot {
        try await signInWithBrowser(
            provider: provider, redirectURI: redirectURI, options: options.browserSignIn, using: presenter)
    }

    /// Signs in through the browser as ``signInWithBrowser(provider:redirectURI:using:)`` does, with options for this
    /// sign-in instead of ``ClientOptions/browserSignIn``.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` also for a login hint or parameter that the authorization request
    ///   cannot carry: if the browser begins at the backend's own page, the contract fixes all parameters.
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

    /// Handles a URL that the system opened in the app, for `onOpenURL`.
    ///
    /// A URL is accepted only if it answers the sign-in in the browser that is waiting: it begins with the exact
    /// redirect URI, and either carries that sign-in's state, or answers a sign-in at the backend's own page, for which
    /// the server will require this device's code verifier. Any other URL is ignored, and so is every URL while no
    /// sign-in waits. With a backend that supports neither (``ClientOptions/bindsBrowserSignIns`` off), only the
    /// presenter's result is accepted.
    ///
    /// - Returns: True if the URL was accepted.
    @discardableResult
    public func open(_ url: URL) -> Bool { browserTurn.take(url.absoluteString) }

    /// Asks the backend whether it accepts a redirect URI.
    ///
    /// - Returns: False if the backend rejects the redirect URI.
    /// - Throws: ``ClientError/unsupported(_:)`` for a backend without its own page for browsers; else the failure of
    ///   the request.
    public func acceptsBrowserSignIn(
        endingAt redirectURI: String, provider: String? = nil
    ) async throws(ClientError) -> Bool {
        try await browserFlow(options.browserSignIn).isAccepted(redirectURI: redirectURI, provider: provider)
    }

    private func browserFlow(_ choices: BrowserSignInOptions) -> BrowserFlow {
        BrowserFlow(
            auth: auth, slot: browserTurn, system: options.system, bindsDevice: options.bindsBrowserSignIns,
            bindsSessions: options.bindsSessions,
            options: choices)
    }
}
