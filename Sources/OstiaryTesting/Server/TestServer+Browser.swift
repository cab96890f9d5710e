import Foundation
import OstiaryClient
import OstiaryContracts
public import OstiaryCore
import OstiaryEngine

/// The act of a person on the provider's page.
public enum BrowserVisit: Hashable, Sendable {
    /// A sign-in at the provider as that person.
    case signIn(TestPerson)
    /// A return from the provider with an error code of RFC 6749 §4.1.2.1, for example `access_denied`.
    case refuse(String)
}

/// The place where a browser ended.
public enum BrowserEnd: Hashable, Sendable {
    /// At the app's redirect URI, with the parameters for the app.
    case app(String)
    /// At a page of the server, with that HTTP status.
    case page(status: Int)
}

extension TestServer {
    /// Follows the redirects of a browser sign-in as a person does, from the address that an app opens to the app's
    /// redirect URI.
    ///
    /// - Parameters:
    ///   - address: The login address of the contract, or the one that began a social sign-in. If the server offers
    ///     several providers, the first is chosen.
    ///   - visit: The person's act at the provider.
    /// - Returns: The app's redirect URI with its parameters, or the page of the server where the browser stopped.
    public func browse(_ address: String, _ visit: BrowserVisit = .signIn(.jo)) async -> BrowserEnd {
        var address = address
        // At most three requests: the login address, the provider choice, and the login address again.
        for _ in 0..<3 where address.utf8.starts(with: baseURL.text.utf8) {
            let target = address.dropFirst(baseURL.text.count).split(separator: "?", maxSplits: 1)
            let request = WireRequest(
                method: "GET", path: String(target.first ?? ""), query: target.count > 1 ? String(target[1]) : "")
            let response = await page(request)
            guard (300..<400).contains(response.status), let location = response.headers["location"] else {
                return .page(status: response.status)
            }
            address = location
        }
        guard let state = address.split(separator: "?state=", maxSplits: 1).dropFirst().first else {
            return .page(status: 404)
        }
        return await comeBack(String(state), visit)
    }

    /// Answers one of the pages of a browser sign-in, or an operation of the contract.
    private func page(_ request: WireRequest) async -> WireResponse {
        let path = request.path.utf8
        if path.elementsEqual("\(contract.prefix)/choose".utf8), let first = backend.providers.first,
            let login = loginAddress(after: request.query, at: first.provider.name)
        {
            return Self.redirect(to: login)
        }
        guard path.elementsEqual("\(contract.prefix)/start".utf8), request.query.utf8.starts(with: "id=".utf8) else {
            return await answer(request)
        }
        do throws(AuthError) {
            let id = Secret(String(request.query.dropFirst(3)))
            return Self.redirect(to: try await backend.service.startBrowser(id: id).url)
        } catch {
            return codec.write(error)
        }
    }

    /// Returns the login address of a provider, with the parameters of the page that offers the choice.
    private func loginAddress(after query: String, at provider: String) -> String? {
        func value(_ name: String) -> String? {
            if case .found(let value) = ParameterReader(query).single([name]) { value } else { nil }
        }
        return value("redirect_uri").flatMap { uri in
            loginAddress(
                for: BeginBrowserSignIn(redirectURI: uri, appChallenge: value("app_challenge"), provider: provider))
        }
    }

    private static func redirect(to address: String) -> WireResponse {
        WireResponse(status: 302, headers: ["location": address])
    }

    /// Returns from the provider to the app: directly, or through the server's callback.
    private func comeBack(_ state: String, _ visit: BrowserVisit) async -> BrowserEnd {
        let answers = backend.providers.lazy.compactMap { $0.answer(to: state, by: visit) }
        guard let answer = answers.first else { return .page(status: 400) }
        let redirectURI = answer.redirectURI
        guard redirectURI.utf8.starts(with: "\(baseURL.text)\(contract.prefix)/".utf8) else {
            let separator = redirectURI.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            let outcome = answer.error.map { "error=\($0)" } ?? "code=\(answer.authorizationCode?.reveal() ?? "")"
            return .app("\(redirectURI)\(separator)\(outcome)&state=\(state)")
        }
        do throws(AuthError) {
            return .app(try await backend.service.returnFromProvider(answer).url)
        } catch {
            return .page(status: codec.write(error).status)
        }
    }

    /// Returns the login address of a contract with sign-in in a browser; `nil` for any other contract.
    public func loginAddress(for call: BeginBrowserSignIn) -> String? {
        guard let request = try? codec.write(call) else { return nil }
        return "\(baseURL.text)\(request.path)?\(request.query)"
    }

    /// Returns an ID token of the kind that a provider's SDK gives to an app, valid for ten minutes; `nil` if there is
    /// no such provider.
    ///
    /// - Parameters:
    ///   - person: The subject of the token.
    ///   - nonce: The nonce that the app sent to the provider, or its SHA-256 in lowercase hexadecimal digits.
    ///   - provider: The provider's name; `nil` for the first provider.
    public func identityToken(
        for person: TestPerson = .jo, nonce: String, from provider: String? = nil
    ) -> Secret<String>? {
        backend.provider(named: provider)?.issueIdentityToken(for: person, nonce: nonce)
    }
}
