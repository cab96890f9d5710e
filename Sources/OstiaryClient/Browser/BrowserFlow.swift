import Foundation
import OstiaryContracts
import OstiaryCore

/// The steps of a sign-in through a browser, independent of the contract and of the presenter.
///
/// The caller decides what to do with the answer.
struct BrowserFlow: Sendable {
    let auth: RemoteAuth
    let slot: BrowserSignInSlot
    let system: ClientDependencies
    /// `true` to bind the code to this device by a verifier that only the device knows.
    let bindsDevice: Bool
    /// `true` to bind the session to a key of this device.
    var bindsSessions = false
    var options = BrowserSignInOptions()

    /// The one of the contract's two methods that applies.
    var method: ClientEvent.SignInMethod { offers(.beginBrowserSignIn) ? .browser : .social }

    /// Runs a sign-in and returns the server's answer.
    ///
    /// - Parameters:
    ///   - provider: The provider's name; nil to let the user choose, if the backend offers the choice.
    ///   - redirectURI: The URI at which the browser ends; nil for the contract's.
    func signedIn(
        provider: String?, redirectURI: String?, by presenter: any BrowserPresenter
    ) async throws(ClientError) -> SignedIn {
        try await slot.taken { () async throws(ClientError) in
            guard provider?.isEmpty != true else { throw .invalidRequest("the provider has no name") }
            if offers(.beginBrowserSignIn) { return try await throughBackend(provider, redirectURI, presenter) }
            guard offers(.beginSocialSignIn) else { throw .unsupported(.beginBrowserSignIn) }
            return try await socially(provider, redirectURI, presenter)
        }
    }

    private func offers(_ kind: OperationKind) -> Bool { auth.codec.endpoint(for: kind) != nil }

    // MARK: Backend in front of the provider

    private func throughBackend(
        _ provider: String?, _ redirectURI: String?, _ presenter: any BrowserPresenter
    ) async throws(ClientError) -> SignedIn {
        guard let redirectURI = redirectURI ?? auth.contract.redirectURIs.first else { throw Self.missingRedirectURI }
        let verifier = verifier(from: .beginBrowserSignIn, to: .completeBrowserSignIn)
        let begin = BeginBrowserSignIn(
            redirectURI: redirectURI, appChallenge: verifier?.challenge, provider: provider)
        let page = try BrowserPage(
            url: try await firstPage(begin), redirectURI: redirectURI, isEphemeral: isEphemeral)
        let expectation = BrowserSignInSlot.Expectation(isBound: verifier != nil)
        let callback = try await slot.answer(of: page, by: presenter, expectation)
        guard let state = callback.state else { throw .browserAnswer(.malformed) }
        return try await exchange(
            CompleteBrowserSignIn(
                authorizationCode: callback.code, state: state, redirectURI: redirectURI, appVerifier: verifier?.text))
    }

    private var isEphemeral: Bool {
        options.prefersEphemeralWebBrowserSession ?? auth.contract.client.prefersEphemeralWebBrowserSession
    }

    /// Creates the verifier of a sign-in; nil unless the contract has a field for it in both steps: with one alone, the
    /// values would never match.
    private func verifier(from beginning: OperationKind, to end: OperationKind) -> CodeVerifier? {
        bindsDevice && takes(.appChallenge, in: beginning) && takes(.appVerifier, in: end) ? CodeVerifier() : nil
    }

    private func takes(_ field: Field, in kind: OperationKind) -> Bool {
        auth.codec.endpoint(for: kind)?.takes?.contains { $0.field == field } ?? false
    }

    /// The backend's own page, if the browser must open it itself because the backend sets a cookie; else the address
    /// that the backend returns.
    private func firstPage(_ begin: BeginBrowserSignIn) async throws(ClientError) -> URL {
        let endpoint = auth.codec.endpoint(for: .beginBrowserSignIn)
        guard endpoint?.method == .get, endpoint?.answers == .redirect else {
            return try BrowserAddress(try await auth.perform(begin, at: system).url, from: auth.baseURL)
                .adding(options.parameters, from: auth.baseURL).url
        }
        guard options.parameters.isEmpty else {
            throw .invalidRequest("the contract's page for browsers takes no login hint and no further parameters")
        }
        let request: WireRequest
        do { request = try auth.codec.write(begin) } catch { throw .unsupported(.beginBrowserSignIn) }
        let query = request.query.isEmpty ? "" : "?\(request.query)"
        return try BrowserAddress("\(auth.baseURL)\(request.path)\(query)", from: auth.baseURL).url
    }

    /// Asks the backend whether it accepts a redirect URI.
    ///
    /// That begins a sign-in which is never completed, and which expires on the backend.
    func isAccepted(redirectURI: String, provider: String?) async throws(ClientError) -> Bool {
        do {
            _ = try await auth.perform(
                BeginBrowserSignIn(redirectURI: redirectURI, provider: provider), at: system)
            return true
        } catch {
            switch error {
            // The second is the answer of an original backend, which has no error codes.
            case .refused(.redirectURIRefused), .refused(.rejected(status: 400, _)): return false
            default: throw error
            }
        }
    }

    // MARK: Directly at the provider

    private func socially(
        _ provider: String?, _ redirectURI: String?, _ presenter: any BrowserPresenter
    ) async throws(ClientError) -> SignedIn {
        let providers = auth.contract.socialProviders
        guard let provider = provider ?? (providers.count == 1 ? providers.first : nil) else {
            let choice = providers.isEmpty ? "" : ", one of \(providers.joined(separator: ", "))"
            throw .invalidRequest("a provider is needed\(choice)")
        }
        try await readConfiguration()
        let verifier = verifier(from: .beginSocialSignIn, to: .completeSocialSignIn)
        let destination = try await auth.perform(
            BeginSocialSignIn(provider: provider, appChallenge: verifier?.challenge), at: system)
        let address = try BrowserAddress(destination.url, from: auth.baseURL)
            .adding(options.parameters, from: auth.baseURL)
        let known = try callbackURL(address)
        guard let redirectURI = redirectURI ?? known else { throw Self.missingRedirectURI }
        let state = try address.value(of: "state").map { Secret($0) }
        let callback = try await slot.answer(
            of: try BrowserPage(url: address.url, redirectURI: redirectURI, isEphemeral: isEphemeral), by: presenter,
            // No link is accepted because of the verifier alone: a server of an earlier version ignores the field.
            BrowserSignInSlot.Expectation(state: state, needsState: false))
        return try await exchange(
            CompleteSocialSignIn(
                authorizationCode: callback.code, state: callback.state, appVerifier: verifier?.text))
    }

    /// Fetches the configuration of the social provider first, as the contract's own client does.
    ///
    /// A backend with providers other than the described one refuses this request and accepts the next, which decides.
    private func readConfiguration() async throws(ClientError) {
        guard offers(.socialConfiguration) else { return }
        do { _ = try await auth.perform(GetSocialConfiguration(), at: system) } catch {
            switch error {
            case .refused, .temporarilyUnavailable: break
            default: throw error
            }
        }
    }

    /// Returns the one of the contract's redirect URIs at which the browser ends.
    private func callbackURL(_ address: BrowserAddress) throws(ClientError) -> String? {
        let known = auth.contract.redirectURIs
        let named = try address.value(of: "redirect_uri")
        return known.first { uri in named.map { $0.utf8.elementsEqual(uri.utf8) } ?? false } ?? known.first
    }

    // MARK: The code

    /// Exchanges the code, once. After a lost answer the code is not sent again: the server would treat that as a
    /// replay of a stolen code.
    private func exchange<Operation: AuthOperation>(
        _ operation: Operation
    ) async throws(ClientError) -> SignedIn where Operation.Answer == SignedIn {
        for attempt in 0..<Self.retries {
            do {
                return try await auth.perform(operation, proof: proof, at: system)
            } catch {
                guard error == .offline else { throw error }
                // No request left this device, which may not be back online right after the return from the browser.
                let wait = Duration.milliseconds(500 << attempt) * system.randomFraction()
                do { try await system.sleep(wait) } catch { throw .cancelled }
            }
        }
        return try await auth.perform(operation, proof: proof, at: system)
    }

    /// The proof of the request that opens the session; nil where sessions are not bound.
    private var proof: RequestProof? { bindsSessions ? .signIn : nil }

    private static let retries = 3
    private static let missingRedirectURI = ClientError.invalidRequest(
        "the contract does not say where a sign-in in the browser ends: give a redirect URI")
}
