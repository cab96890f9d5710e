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
    /// The thumbprint of the key that must redeem the code; nil for any client that has the verifier. Source: RFC 9449 §10.
    var boundKey: String?

    /// Returns `true` if a client that has proven this key may redeem the code.
    func isBound(to key: String?) -> Bool {
        guard let boundKey else { return true }
        return key.map { boundKey.utf8.elementsEqual($0.utf8) } ?? false
    }
}

extension OpenIDProvider {
    func issueCode(
        for request: AuthenticationRequest, _ bearer: AuthenticatedSession, _ authentication: SessionAuthentication
    ) async throws -> String {
        let payload = AuthorizationCode(
            client: request.client.id, redirectURI: request.redirectURI, codeChallenge: request.codeChallenge,
            nonce: request.nonce, scopes: request.scopes, account: bearer.account.id.text,
            authenticatedAt: Int(authentication.time.timeIntervalSince1970), acr: authentication.level.rawValue,
            amr: authentication.methods, session: bearer.session.id.text, boundKey: request.boundKey)
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
