import Foundation
import OstiaryClient
import OstiaryContracts
public import OstiaryCore

/// What a person does at the provider that the browser brings them to.
public enum BrowserVisit: Hashable, Sendable {
    case signIn(TestPerson)
    /// Gives up, or is refused, with a word of RFC 6749 §4.1.2.1 such as `access_denied`.
    case refuse(String)
}

/// Where a browser ended.
public enum BrowserEnd: Hashable, Sendable {
    /// At the app's redirect URI, with what the app is to read.
    case app(String)
    /// At a page of the server, with that status.
    case page(status: Int)
}

extension TestServer {
    /// Plays a person with a browser, from the address that an app opens to the one where it waits.
    ///
    /// - Parameter address: The login address of the contract, or the one that began a social sign-in.
    public func browse(_ address: String, _ visit: BrowserVisit = .signIn(.jo)) async -> BrowserEnd {
        var address = address
        if address.utf8.starts(with: baseURL.text.utf8) {
            let target = address.dropFirst(baseURL.text.count).split(separator: "?", maxSplits: 1)
            let request = WireRequest(
                method: "GET", path: String(target.first ?? ""), query: target.count > 1 ? String(target[1]) : "")
            let response = await answer(request)
            guard (300..<400).contains(response.status), let location = response.headers["location"] else {
                return .page(status: response.status)
            }
            address = location
        }
        guard let state = address.split(separator: "?state=", maxSplits: 1).dropFirst().first else {
            return .page(status: 404)
        }
        let now = clock.now
        guard let back = self.state.change({ $0.comeBack(String(state), as: visit, at: now) }) else {
            return .page(status: 400)
        }
        return .app(back)
    }

    /// The login address of a contract whose people sign in in a browser; nil for any other.
    public func loginAddress(for call: BeginBrowserSignIn) -> String? {
        guard let request = try? codec.write(call) else { return nil }
        return "\(baseURL.text)\(request.path)?\(request.query)"
    }

    /// An ID token as a provider gives it to a device, good for ten minutes.
    ///
    /// - Parameters:
    ///   - provider: Its name; nil for the first there is.
    ///   - nonce: What the app asked the provider with: its nonce, or the SHA-256 of it in hexadecimal digits.
    public func identityToken(
        for person: TestPerson = .jo, nonce: String, from provider: String? = nil
    ) -> Secret<String>? {
        let expiresAt = clock.now.addingTimeInterval(600)
        return state.change { state in
            guard
                let found = state.providers.first(where: { candidate in
                    provider.map { candidate.name.utf8.elementsEqual($0.utf8) } ?? true
                })
            else { return nil }
            let token = state.random.token()
            state.identityTokens[token] = IssuedIdentityToken(
                provider: found, person: person, nonce: nonce, expiresAt: expiresAt)
            return Secret(token)
        }
    }
}
