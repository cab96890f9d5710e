import Foundation
import OstiaryCore
import OstiaryEngine

/// The data that an authorization code refers to. Of the code itself, only a keyed hash is stored.
struct AuthorizationCode: Codable, Hashable {
    var client: String
    var redirectURI: String
    var codeChallenge: String?
    var nonce: String?
    var scopes: [Scope]
    var account: String
    /// Seconds since 1970.
    var authenticatedAt: Int
    /// Nil in a code of an earlier version.
    var acr: String?
    var amr: [String]?
    /// The browser's session. The code is invalid once that session has ended.
    var session: String
}

extension OpenIDProvider {
    func issueCode(
        for request: AuthenticationRequest, _ bearer: AuthenticatedSession, _ authentication: SessionAuthentication
    ) async throws -> String {
        let payload = AuthorizationCode(
            client: request.client.id, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge,
            nonce: request.nonce, scopes: request.scopes, account: bearer.account.id.text,
            authenticatedAt: Int(authentication.time.timeIntervalSince1970), acr: authentication.level.rawValue,
            amr: authentication.methods, session: bearer.session.id.text)
        let code = Base64URL.encode(ports.system.randomBytes(32))
        try await ports.store.add(
            SingleUseRecord(
                app: app, kind: .authorizationCode, hash: hash(code: code),
                payload: Array(try JSONEncoder().encode(payload)),
                expiresAt: ports.system.now().addingTimeInterval(Double(Self.codeSeconds))))
        return code
    }

    func hash(code: String) -> [UInt8] {
        ports.keys.digest(["authorization-code", code], for: .provider, app: app)
    }
}
