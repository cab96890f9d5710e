import Foundation
import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A sign-in at a provider, from its beginning to its second use.
struct BrowserFlow: Sendable {
    let isSocial: Bool
    let provider: TestProvider
    let redirectURI: String
    let appChallenge: String?
    let expiresAt: Date
    /// What the provider sent the browser back with, and for whom.
    var grant: (code: String, person: TestPerson)?
    var isSpent = false
    /// The session that it opened.
    var session: SessionID?
}

extension ServerState {
    // MARK: Going

    mutating func beginBrowserSignIn(
        _ call: BeginBrowserSignIn, at now: Date
    ) throws(AuthError) -> BrowserDestination {
        guard redirectURIs.contains(where: { $0.utf8.elementsEqual(call.redirectURI.utf8) }) else {
            throw .redirectURIRefused
        }
        if let challenge = call.appChallenge, !Self.isChallenge(challenge) { throw .invalid(.appChallenge, .malformed) }
        guard let first = providers.first else { throw .notConfigured }
        var provider = first
        if let name = call.provider {
            guard let named = self.provider(named: name) else { throw .notFound }
            provider = named
        }
        return send(
            to: provider,
            BrowserFlow(
                isSocial: false, provider: provider, redirectURI: call.redirectURI, appChallenge: call.appChallenge,
                expiresAt: now + TimeInterval(rules.browserSeconds)))
    }

    mutating func beginSocialSignIn(_ call: BeginSocialSignIn, at now: Date) throws(AuthError) -> BrowserDestination {
        guard !providers.isEmpty, let redirectURI = redirectURIs.first else { throw .notConfigured }
        guard let provider = providers.first(where: { $0.offers(call.provider) }) else { throw .notFound }
        return send(
            to: provider,
            BrowserFlow(
                isSocial: true, provider: provider, redirectURI: redirectURI, appChallenge: nil,
                expiresAt: now + TimeInterval(rules.browserSeconds)))
    }

    private mutating func send(to provider: TestProvider, _ flow: BrowserFlow) -> BrowserDestination {
        let state = random.token()
        flows[state] = flow
        return BrowserDestination(url: "\(provider.authorizationURL)?state=\(state)")
    }

    private func provider(named name: String) -> TestProvider? {
        providers.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    // MARK: Coming back

    /// Where the browser goes from the provider; nil for a sign-in that is over, or never was.
    mutating func comeBack(_ state: String, as outcome: BrowserVisit, at now: Date) -> String? {
        guard let flow = flows[state], !flow.isSpent, flow.grant == nil, now < flow.expiresAt else { return nil }
        let separator = flow.redirectURI.contains("?") ? "&" : "?"
        switch outcome {
        case .signIn(let person):
            let code = random.token()
            flows[state]?.grant = (code, person)
            return "\(flow.redirectURI)\(separator)code=\(code)&state=\(state)"
        case .refuse(let error):
            // Whoever goes straight back to the app tells nobody else.
            flows[state]?.isSpent = !flow.provider.returnsToApp
            return "\(flow.redirectURI)\(separator)error=\(error)&state=\(state)"
        }
    }

    mutating func completeBrowserSignIn(
        _ call: CompleteBrowserSignIn, at now: Date
    ) throws(AuthError) -> SignedIn {
        let (flow, session) = try spendFlow(call.state, with: call.authorizationCode, at: now)
        guard !flow.isSocial, call.redirectURI.utf8.elementsEqual(flow.redirectURI.utf8),
            Self.isFromDevice(flow.appChallenge, call.appVerifier)
        else { throw .authorizationRefused }
        return try redeem(call.authorizationCode, of: flow, as: session, at: now)
    }

    mutating func completeSocialSignIn(_ call: CompleteSocialSignIn, at now: Date) throws(AuthError) -> SignedIn {
        guard !providers.isEmpty else { throw .notConfigured }
        guard let state = call.state else { throw .authorizationRefused }
        let (flow, session) = try spendFlow(state, with: call.authorizationCode, at: now)
        guard flow.isSocial else { throw .authorizationRefused }
        return try redeem(call.authorizationCode, of: flow, as: session, at: now)
    }

    /// Finishes a sign-in for ever. The same state and code a second time end the session that they opened.
    private mutating func spendFlow(
        _ state: Secret<String>, with code: Secret<String>, at now: Date
    ) throws(AuthError) -> (flow: BrowserFlow, session: SessionID) {
        let key = state.reveal()
        guard let flow = flows[key], now < flow.expiresAt else { throw .authorizationRefused }
        if flow.isSpent {
            let isSameCode = flow.grant.map { $0.code.utf8.elementsEqual(code.reveal().utf8) } ?? false
            if isSameCode || flow.provider.returnsToApp, let session = flow.session { end(session) }
            throw .authorizationRefused
        }
        // One whose browser has to come back to us first is not finished before, and not spent by trying.
        guard flow.grant != nil || flow.provider.returnsToApp else { throw .authorizationRefused }
        let session = newSessionID()
        flows[key]?.isSpent = true
        flows[key]?.session = session
        return (flow, session)
    }

    private mutating func redeem(
        _ code: Secret<String>, of flow: BrowserFlow, as session: SessionID, at now: Date
    ) throws(AuthError) -> SignedIn {
        guard let grant = flow.grant, grant.code.utf8.elementsEqual(code.reveal().utf8) else {
            throw .authorizationRefused
        }
        let account = try account(of: grant.person, at: flow.provider)
        return openSession(of: account, rememberMe: false, device: nil, id: session, at: now)
    }

    // MARK: The device

    private static func isFromDevice(_ challenge: String?, _ verifier: Secret<String>?) -> Bool {
        switch (challenge, verifier?.reveal()) {
        case (nil, nil): true
        case (let challenge?, let verifier?):
            (43...128).contains(verifier.utf8.count)
                && Data(SHA256.hash(data: Data(verifier.utf8))).base64URL.utf8.elementsEqual(challenge.utf8)
        // A verifier without a challenge is refused too: somebody else began without one.
        default: false
        }
    }

    /// The base64url of 32 bytes. Source: RFC 7636 §4.2.
    private static func isChallenge(_ text: String) -> Bool {
        let base64 = text.replacing("-", with: "+").replacing("_", with: "/") + "="
        return text.utf8.count == 43 && Data(base64Encoded: base64)?.count == 32
    }
}
