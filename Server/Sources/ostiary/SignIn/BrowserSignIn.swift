import ArgumentParser
import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// Signs in through the browser, from a terminal.
struct BrowserSignIn {
    let session: SavedSession
    /// Which identity provider; nil lets the person choose.
    let provider: String?
    /// Where the app's own sign-ins end.
    let redirectURIs: [String]
    /// Whether the code is bound to this process by a verifier that only it knows.
    let bindsDevice: Bool
    let browser: Browser

    func signedIn() async throws -> SignedIn {
        if offers(.beginBrowserSignIn) { return try await throughBackend() }
        guard offers(.beginSocialSignIn) else {
            throw AdministrationProblem("\(session.contract.name) does not sign in through the browser")
        }
        guard let provider else {
            let known = session.contract.socialProviders
            throw ValidationError(
                "--provider is needed" + (known.isEmpty ? "" : ", one of \(known.joined(separator: ", "))"))
        }
        return try await socially(provider)
    }

    private func offers(_ kind: OperationKind) -> Bool { session.auth.codec.endpoint(for: kind) != nil }

    // MARK: Backend in front of the provider

    private func throughBackend() async throws -> SignedIn {
        let verifier = bindsDevice ? CodeVerifier() : nil
        let signedIn = try await LoopbackListener.listening { listener -> SignedIn? in
            let uri = listener.redirectURI
            guard try await isAllowed(uri, verifier) else { return nil }
            browser.show(try address(begin(uri, verifier)))
            return try await complete(try await listener.wait().get(), uri, verifier)
        }
        if let signedIn { return signedIn }
        guard let uri = redirectURIs.first else { throw missingRedirectURI }
        guard try await isAllowed(uri, verifier) else {
            throw AdministrationProblem("the server does not know \(TerminalText.escaped(uri)): --redirect-uri")
        }
        browser.show(try address(begin(uri, verifier)))
        return try await complete(try pasted(for: [uri]), uri, verifier)
    }

    private func begin(_ redirectURI: String, _ verifier: CodeVerifier?) -> BeginBrowserSignIn {
        BeginBrowserSignIn(
            redirectURI: redirectURI, appChallenge: verifier.map { CodeChallenge.s256(of: $0.text) }, provider: provider
        )
    }

    /// Asks the server whether it would send the browser back there. That begins a sign-in which nobody finishes; it is
    /// forgotten after ten minutes, and the browser begins its own.
    private func isAllowed(_ redirectURI: String, _ verifier: CodeVerifier?) async throws -> Bool {
        do {
            _ = try await session.call(begin(redirectURI, verifier))
            return true
        } catch SessionFailure.refused(let refusal) {
            switch refusal {
            // The second is an original backend's, which has no codes.
            case .redirectURIRefused, .rejected(status: 400, _): return false
            default: throw SessionFailure.refused(refusal)
            }
        }
    }

    private func address(_ operation: BeginBrowserSignIn) throws -> String {
        let request = try session.auth.codec.write(operation)
        return "\(session.auth.baseURL)\(request.path)?\(request.query)"
    }

    private func complete(
        _ callback: BrowserCallback, _ redirectURI: String, _ verifier: CodeVerifier?
    ) async throws -> SignedIn {
        guard let state = callback.state else { throw BrowserCallbackProblem.malformed }
        return try await session.call(
            CompleteBrowserSignIn(
                authorizationCode: callback.code, state: state, redirectURI: redirectURI, appVerifier: verifier?.text))
    }

    // MARK: Straight at the provider

    private func socially(_ provider: String) async throws -> SignedIn {
        guard !redirectURIs.isEmpty else { throw missingRedirectURI }
        let destination = try await session.call(BeginSocialSignIn(provider: provider))
        browser.show(destination.url)
        let callback = try pasted(for: redirectURIs, state: Self.state(in: destination.url))
        return try await session.call(CompleteSocialSignIn(authorizationCode: callback.code, state: callback.state))
    }

    /// What the answer must carry, where the address of the provider says so.
    private static func state(in url: String) -> Secret<String>? {
        let items = URLComponents(string: url)?.queryItems ?? []
        let states = items.filter { $0.name == "state" }.compactMap(\.value)
        return states.count == 1 ? Secret(states[0]) : nil
    }

    // MARK: Without a listener

    private var missingRedirectURI: AdministrationProblem {
        AdministrationProblem("the contract does not say where a sign-in ends: --redirect-uri")
    }

    /// Asks for the address that the browser ended at, which no program took.
    private func pasted(for redirectURIs: [String], state: Secret<String>? = nil) throws -> BrowserCallback {
        printLine("Sign in. The browser ends at an address it cannot open, which begins with")
        for uri in redirectURIs { printLine("  \(TerminalText.escaped(uri))") }
        prompt("Paste all of that address here: ")
        guard let line = readLine(), !line.isEmpty else { throw AdministrationProblem("nothing was typed") }
        let address = line.trimmingCharacters(in: .whitespaces)
        var problem = BrowserCallbackProblem.foreign
        for uri in redirectURIs {
            do throws(BrowserCallbackProblem) {
                return try BrowserCallback(address, for: uri, state: state)
            } catch {
                if error != .foreign { problem = error }
            }
        }
        throw problem
    }
}
