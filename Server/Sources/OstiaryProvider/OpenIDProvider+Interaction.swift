import Foundation
package import OstiaryCore
import OstiaryEngine

/// The user's part in an authorization request: decisions on a page, and sign-ins as a step of the request.
///
/// The identity of a client without a secret is assured only by the host of its redirect URI: another app can register the
/// same URI scheme, and any program can listen at a loopback address. A request of such a client is not answered without
/// the user, or the session at the provider would give another program a code. Source: RFC 8252 §8.6.
extension OpenIDProvider {
    /// The parameter of the authorization endpoint that proves a sign-in as a step of the request.
    static let interactionParameter = "interaction"

    /// Returns the query by which a browser continues a client's request after a sign-in on the provider's pages.
    ///
    /// The sign-in is the interaction that ``AuthorizationStep/confirmation(_:_:tag:)`` would ask for. The query proves
    /// it for ``codeSeconds``, in the session and for the request alone.
    ///
    /// - Parameter cookie: The value of the session cookie that the browser was given.
    package func query(of request: AuthenticationRequest, afterSignIn cookie: Secret<String>) async -> String {
        let now = ports.system.now()
        // Without the proof, the user is only asked to confirm.
        guard request.requiresInteraction, let session = try? await ports.accessTokens.read(cookie, at: now)?.session
        else { return request.query }
        let end = Int(now.timeIntervalSince1970) + Self.codeSeconds
        let proof = interactionProof(of: request, in: session, until: end)
        return "\(request.query)&\(URLQuery.encode([(Self.interactionParameter, proof)]))"
    }

    func isInteraction(_ proof: String, in session: SessionID, for request: AuthenticationRequest) -> Bool {
        let digits = Substring(proof.utf8.prefix { $0 != UInt8(ascii: ".") })
        guard let end = Int(digits), Double(end) > ports.system.now().timeIntervalSince1970 else { return false }
        return constantTimeEqual(
            Array(proof.utf8), Array(interactionProof(of: request, in: session, until: end).utf8))
    }

    private func interactionProof(
        of request: AuthenticationRequest, in session: SessionID, until end: Int
    ) -> String {
        let parts = ["interaction", session.text, request.query, "\(end)"]
        return "\(end).\(Base64URL.encode(ports.keys.digest(parts, for: .forms, app: app)))"
    }

    /// Returns the value that binds the decision of a form to the session and to the request that were shown.
    func consentTag(of session: SessionID, for request: AuthenticationRequest) -> String {
        Base64URL.encode(ports.keys.digest(["consent", session.text, request.query], for: .forms, app: app))
    }

    func isConsent(_ tag: String, of session: SessionID, for request: AuthenticationRequest) -> Bool {
        constantTimeEqual(Array(tag.utf8), Array(consentTag(of: session, for: request).utf8))
    }
}

extension AuthenticationRequest {
    /// `true` if another program than the client may have sent the request and would receive the code: only a secret, or
    /// the host of an `https` redirect URI, assures the client's identity.
    var requiresInteraction: Bool {
        guard client.secret == nil else { return false }
        guard let url = URLComponents(string: redirectURI), url.scheme?.lowercased() == "https", let host = url.host
        else { return true }
        // Domain names only: browsers take a host that ends in a number for an IPv4 address, and know `localhost` themselves.
        let labels = host.utf8.map { $0 | 0x20 }.split(separator: UInt8(ascii: "."))
        guard let top = labels.last, labels.count > 1, !host.utf8.contains(UInt8(ascii: ":")) else { return true }
        return top.elementsEqual("localhost".utf8)
            || top.first.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
    }
}
