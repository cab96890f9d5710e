import Foundation
import OstiaryCore
import OstiaryEngine

/// What an authorization code stands for. Of the code itself a keyed hash is kept.
struct AuthorizationCode: Codable, Hashable {
    var client: String
    var redirectURI: String
    var codeChallenge: String?
    var nonce: String?
    var scopes: [Scope]
    var account: String
    /// Seconds since 1970.
    var authenticatedAt: Int
    /// The browser's session. A code is worth nothing once the person has signed out.
    var session: String
}

extension OpenIDProvider {
    func issueCode(for request: AuthenticationRequest, _ bearer: Bearer) async throws -> String {
        let payload = AuthorizationCode(
            client: request.client.id, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge,
            nonce: request.nonce, scopes: request.scopes, account: bearer.account.id.text,
            authenticatedAt: Int(bearer.session.createdAt.timeIntervalSince1970), session: bearer.session.id.text)
        let code = Base64URL.encode(ports.surroundings.randomBytes(32))
        try await ports.store.add(
            Ticket(
                app: app, kind: .authorizationCode, hash: hash(code: code),
                payload: Array(try JSONEncoder().encode(payload)),
                expiresAt: ports.surroundings.now().addingTimeInterval(Double(Self.codeSeconds))))
        return code
    }

    func hash(code: String) -> [UInt8] {
        ports.keys.digest(["authorization-code", code], for: .provider, app: app)
    }
}
