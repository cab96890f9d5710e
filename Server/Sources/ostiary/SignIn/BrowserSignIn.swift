import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// Signs in through the browser, from a terminal.
struct BrowserSignIn {
    let client: CommandClient
    /// The identity provider's name; nil lets the person choose.
    let provider: String?
    /// The redirect URI of the app's own sign-ins; nil for the contract's default.
    let redirectURI: String?
    let browser: Browser

    func session() async throws -> SessionSnapshot {
        if client.offers(.beginBrowserSignIn) { return try await throughBackend() }
        guard client.offers(.beginSocialSignIn) else {
            throw AdministrationProblem("\(auth.contract.name) does not sign in through the browser")
        }
        guard redirectURI != nil || !auth.contract.redirectURIs.isEmpty else { throw missingRedirectURI }
        return try await signedIn(endingAt: redirectURI, by: PastedAddress(browser: browser))
    }

    private var auth: AuthClient { client.auth }

    private func throughBackend() async throws -> SessionSnapshot {
        let session = try await LoopbackListener.listening { listener -> SessionSnapshot? in
            let uri = listener.redirectURI
            guard try await auth.acceptsBrowserSignIn(endingAt: uri, provider: provider) else { return nil }
            return try await signedIn(
                endingAt: uri, by: LoopbackAddress(listener: listener, browser: browser))
        }
        if let session { return session }
        guard let uri = redirectURI ?? auth.contract.redirectURIs.first else { throw missingRedirectURI }
        guard try await auth.acceptsBrowserSignIn(endingAt: uri, provider: provider) else {
            throw AdministrationProblem(
                "the server has not registered \(TerminalText.escaped(uri)): pass another --redirect-uri")
        }
        return try await signedIn(endingAt: uri, by: PastedAddress(browser: browser))
    }

    private func signedIn(
        endingAt redirectURI: String?, by presenter: any BrowserPresenter
    ) async throws -> SessionSnapshot {
        try await auth.signInWithBrowser(provider: provider, redirectURI: redirectURI, using: presenter)
    }

    private var missingRedirectURI: AdministrationProblem {
        AdministrationProblem("the contract has no redirect URI: pass --redirect-uri")
    }
}

/// A presenter whose browser returns to a loopback port.
private struct LoopbackAddress: BrowserPresenter {
    let listener: LoopbackListener
    let browser: Browser

    func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        browser.show(page.url.absoluteString)
        guard let address = await listener.wait() else {
            if !Task.isCancelled { printError("the browser was not redirected back within ten minutes") }
            throw .cancelled
        }
        return address
    }
}

/// A presenter whose browser ends at an address that no program receives: the person is asked to paste it.
private struct PastedAddress: BrowserPresenter {
    let browser: Browser

    func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        browser.show(page.url.absoluteString)
        printLine("Sign in. The browser is then redirected to an address it cannot open, which begins with")
        printLine("  \(TerminalText.escaped(page.redirectURI))")
        prompt("Paste the whole address here: ")
        guard let line = try? await blocking({ readLine() }), !line.isEmpty else {
            printError("nothing was typed")
            throw .cancelled
        }
        return line.trimmingCharacters(in: .whitespaces)
    }
}
