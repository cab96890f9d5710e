import Foundation
import OstiaryCore

/// The link of a notice by which an account's owner denies a sign-in: single use, and void after a change of the credentials.
struct SignInDenial: Sendable {
    /// The token in the link, 32 random bytes.
    let token: Secret<String>
    private let key: SingleUseRecordKey
    private let payload: Payload
    private let keys: KeyRing

    /// The state of the account at the time of the sign-in. Its names never change: records outlive an update of the server.
    struct Payload: Codable {
        var account: String
        var credentialVersion: Int
        var at: Date
    }

    init(_ account: Account, at now: Date, in engine: AuthEngine) {
        token = Secret(engine.ports.system.randomToken(bytes: 32))
        key = engine.denialKey(of: token)
        payload = Payload(account: account.id.text, credentialVersion: account.credentialVersion, at: now)
        keys = engine.ports.keys
    }

    func record() throws -> SingleUseRecord {
        let plain = Array(try JSONEncoder().encode(payload))
        return SingleUseRecord(
            app: key.app, kind: key.kind, hash: key.hash,
            payload: try keys.seal(plain, for: .signInHistory, context: Self.context(of: key)),
            expiresAt: payload.at.addingTimeInterval(Double(UnusualSignInNotice.denialSeconds)))
    }

    static func payload(of record: SingleUseRecord, _ keys: KeyRing) throws -> Payload {
        let plain = try keys.open(record.payload, for: .signInHistory, context: context(of: record.key))
        return try JSONDecoder().decode(Payload.self, from: Data(plain))
    }

    private static func context(of key: SingleUseRecordKey) -> String {
        SealedValue.Kind.signInDenial.context(key.app.text, hash: key.hash)
    }
}

extension AuthEngine {
    /// Returns the key of the record of a link's token.
    func denialKey(of token: Secret<String>) -> SingleUseRecordKey {
        SingleUseRecordKey(
            app: app.name, kind: .signInDenial,
            hash: ports.keys.digest(["denial", token.reveal()], for: .signInHistory, app: app.name))
    }
}
