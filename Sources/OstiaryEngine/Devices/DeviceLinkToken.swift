import Foundation
public import OstiaryCore

/// The content of the token in a device link. Sealed and not stored: the store records its use alone.
struct DeviceLinkToken: Codable {
    /// A random value that identifies the token.
    var id: Data
    var account: String
    var credentialVersion: Int
    var expiresAt: Date

    init(for account: Account, in engine: AuthEngine) {
        id = Data(engine.ports.system.randomBytes(16))
        self.account = account.id.text
        credentialVersion = account.credentialVersion
        expiresAt = engine.ports.system.now().addingTimeInterval(Double(engine.app.resets.lifetimeSeconds))
    }

    /// Opens a token.
    ///
    /// - Throws: ``AuthError/challengeRefused`` for a token that this server did not seal, or that has expired.
    init(_ text: Secret<String>, in engine: AuthEngine) throws(AuthError) {
        guard let sealed = Base64URL.decode(text.reveal().utf8),
            let plain = try? engine.ports.keys.open(sealed, for: .deviceLinks, context: engine.app.name.text),
            let token = try? JSONDecoder().decode(DeviceLinkToken.self, from: Data(plain)),
            engine.ports.system.now() < token.expiresAt
        else { throw .challengeRefused }
        self = token
    }

    func sealed(in engine: AuthEngine) throws -> Secret<String> {
        let plain = Array(try JSONEncoder().encode(self))
        return Secret(try engine.ports.keys.seal(plain, for: .deviceLinks, context: engine.app.name.text).base64URL)
    }

    /// The record of the token's use.
    func use(in engine: AuthEngine) -> SingleUseRecord {
        SingleUseRecord(
            app: engine.app.name, kind: .deviceLink,
            hash: engine.ports.keys.digest([Array(id).base64URL], for: .deviceLinks, app: engine.app.name), payload: [],
            expiresAt: expiresAt)
    }
}

extension AuthEngine {
    /// Returns the account of a device link.
    ///
    /// - Throws: ``AuthError/challengeRefused`` if it was deleted or disabled, or its credentials have changed, and for a
    ///   token that was used.
    func account(of token: DeviceLinkToken) async throws -> Account {
        let account = try await account(token.account, ifCredentialsAre: token.credentialVersion)
        let use = token.use(in: self)
        guard
            try await ports.store.singleUseRecord(use.kind, use.hash, in: app.name, at: ports.system.now()) == nil
        else { throw Refused(.challengeRefused, account: account.id) }
        return account
    }

    /// Checks that a device link is still valid, for its page. Redeems nothing: mail scanners open every link.
    ///
    /// - Throws: `AuthError.challengeRefused` if it is not; `AuthError.tooManyAttempts(retryAfterSeconds:)`;
    ///   `AuthError.unavailable(incident:)`.
    public func lookUpDeviceLink(_ token: Secret<String>) async throws(AuthError) {
        _ = try await run(DeviceLinkLookupHandler(token: token))
    }
}

/// Checks whether a device link is still valid. Counts only against the flood limits, as the lookup of every mailed link.
private struct DeviceLinkLookupHandler: OperationHandler {
    let token: Secret<String>

    static let action = OperationKind.redeemDeviceLink
    static let name = "lookUpDeviceLink"
    static let auditing = Auditing.never
    var attempts: Attempts { Attempts(kind: .other, identifier: nil) }

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        _ = try await engine.account(of: DeviceLinkToken(token, in: engine))
        return Outcome(Done())
    }
}
