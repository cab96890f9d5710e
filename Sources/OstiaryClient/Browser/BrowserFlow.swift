import Foundation
import OstiaryContracts
import OstiaryCore

/// Signs somebody in through a browser, step by step: whatever the contract, and whoever shows the browser.
///
/// What the person is signed in as is the business of whoever asks.
struct BrowserFlow: Sendable {
    let auth: RemoteAuth
    let turn: BrowserTurn
    let surroundings: ClientSurroundings
    /// Whether a code is bound to this device by a verifier that only it knows.
    let bindsDevice: Bool
    var options = BrowserSignInOptions()

    /// Which of the contract's two ways it is.
    var method: ClientEvent.SignInMethod { offers(.beginBrowserSignIn) ? .browser : .social }

    /// - Parameters:
    ///   - provider: Nil to let the person choose, where the backend asks them.
    ///   - redirectURI: Where the browser is to end; nil for where the contract says.
    func signedIn(
        provider: String?, redirectURI: String?, by presenter: any BrowserPresenter
    ) async throws(ClientError) -> SignedIn {
        try await turn.taken { () async throws(ClientError) in
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
        let verifier = bindsDevice && takesBinding ? CodeVerifier() : nil
        let begin = BeginBrowserSignIn(
            redirectURI: redirectURI, appChallenge: verifier?.challenge, provider: provider)
        let page = try BrowserPage(
            url: try await firstPage(begin), redirectURI: redirectURI, isEphemeral: isEphemeral)
        let expectation = BrowserTurn.Expectation(isBound: verifier != nil)
        let callback = try await turn.answer(of: page, by: presenter, expectation)
        guard let state = callback.state else { throw .browserAnswer(.malformed) }
        return try await exchange(
            CompleteBrowserSignIn(
                authorizationCode: callback.code, state: state, redirectURI: redirectURI, appVerifier: verifier?.text))
    }

    private var isEphemeral: Bool {
        options.prefersEphemeralWebBrowserSession ?? auth.contract.client.prefersEphemeralWebBrowserSession
    }

    /// Whether both ends of a sign-in have a place for it in the contract: one alone would never match.
    private var takesBinding: Bool {
        takes(.appChallenge, in: .beginBrowserSignIn) && takes(.appVerifier, in: .completeBrowserSignIn)
    }

    private func takes(_ field: Field, in kind: OperationKind) -> Bool {
        auth.codec.endpoint(for: kind)?.takes?.contains { $0.field == field } ?? false
    }

    /// The backend's own page, where the browser has to begin by itself: the backend marks it by a cookie.
    private func firstPage(_ begin: BeginBrowserSignIn) async throws(ClientError) -> URL {
        let endpoint = auth.codec.endpoint(for: .beginBrowserSignIn)
        guard endpoint?.method == .get, endpoint?.answers == .redirect else {
            return try BrowserAddress(try await auth.perform(begin, at: surroundings).url, from: auth.baseURL)
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

    /// Asks the backend whether it would send a browser back there.
    ///
    /// That begins a sign-in which nobody finishes, and which the backend forgets by itself.
    func isAccepted(redirectURI: String, provider: String?) async throws(ClientError) -> Bool {
        do {
            _ = try await auth.perform(
                BeginBrowserSignIn(redirectURI: redirectURI, provider: provider), at: surroundings)
            return true
        } catch {
            switch error {
            // The second is an original backend's, which has no codes.
            case .refused(.redirectURIRefused), .refused(.rejected(status: 400, _)): return false
            default: throw error
            }
        }
    }

    // MARK: Straight at the provider

    private func socially(
        _ provider: String?, _ redirectURI: String?, _ presenter: any BrowserPresenter
    ) async throws(ClientError) -> SignedIn {
        let providers = auth.contract.socialProviders
        guard let provider = provider ?? (providers.count == 1 ? providers.first : nil) else {
            let choice = providers.isEmpty ? "" : ", one of \(providers.joined(separator: ", "))"
            throw .invalidRequest("a provider is needed\(choice)")
        }
        try await readConfiguration()
        let destination = try await auth.perform(BeginSocialSignIn(provider: provider), at: surroundings)
        let address = try BrowserAddress(destination.url, from: auth.baseURL)
            .adding(options.parameters, from: auth.baseURL)
        let known = try whereItEnds(address)
        guard let redirectURI = redirectURI ?? known else { throw Self.missingRedirectURI }
        let state = try address.value(of: "state").map { Secret($0) }
        let callback = try await turn.answer(
            of: try BrowserPage(url: address.url, redirectURI: redirectURI, isEphemeral: isEphemeral), by: presenter,
            BrowserTurn.Expectation(state: state, needsState: false))
        return try await exchange(CompleteSocialSignIn(authorizationCode: callback.code, state: callback.state))
    }

    /// Asks first whether there is a social provider at all, as the contract's own client does.
    ///
    /// A backend that has others than the one it describes refuses this and takes what follows, which decides.
    private func readConfiguration() async throws(ClientError) {
        guard offers(.socialConfiguration) else { return }
        do { _ = try await auth.perform(GetSocialConfiguration(), at: surroundings) } catch {
            switch error {
            case .refused, .temporarilyUnavailable: break
            default: throw error
            }
        }
    }

    /// Which of the contract's places the browser ends at.
    private func whereItEnds(_ address: BrowserAddress) throws(ClientError) -> String? {
        let known = auth.contract.redirectURIs
        let named = try address.value(of: "redirect_uri")
        return known.first { uri in named.map { $0.utf8.elementsEqual(uri.utf8) } ?? false } ?? known.first
    }

    // MARK: The code

    /// Exchanges the code, once. After a lost answer it is not sent again: to the server that would be a thief.
    private func exchange<Operation: WireOperation>(
        _ operation: Operation
    ) async throws(ClientError) -> SignedIn where Operation.Answer == SignedIn {
        for attempt in 0..<Self.retries {
            do {
                return try await auth.perform(operation, at: surroundings)
            } catch {
                guard error == .offline else { throw error }
                // Nothing left this device, which is only just coming back from the browser.
                let wait = Duration.milliseconds(500 << attempt) * surroundings.randomFraction()
                do { try await surroundings.sleep(wait) } catch { throw .cancelled }
            }
        }
        return try await auth.perform(operation, at: surroundings)
    }

    private static let retries = 3
    private static let missingRedirectURI = ClientError.invalidRequest(
        "the contract does not say where a sign-in in the browser ends: give a redirect URI")
}
