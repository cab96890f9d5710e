import Foundation
import OstiaryCore
import OstiaryWebAuthn

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

extension AttestKey: EngineOperation {
    var handler: AttestKeyHandler { AttestKeyHandler(call: self) }
}

/// Verifies the attestation of a key, and stores the key.
struct AttestKeyHandler: OperationHandler {
    let call: AttestKey

    static let action = AttestKey.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let settings = try engine.appAttestSettings()
        guard let keyID = Base64URL.decode(call.keyID.utf8),
            let attestation = Base64URL.decode(call.attestation.utf8),
            let challenge = KeyChallenge(call.challenge, in: engine), try await challenge.redeem(in: engine)
        else { return try refuse("malformed", in: engine) }
        let now = engine.ports.system.now()
        let key: AttestedAppKey
        do {
            key = try settings.verifier.verifyAttestation(
                attestation, keyID: keyID, clientDataHash: Array(SHA256.hash(data: challenge.bytes)),
                at: Int64(now.timeIntervalSince1970.rounded(.down)))
        } catch {
            return try refuse(error.rawValue, in: engine)
        }
        // The counter of a key that was attested before stays as it is.
        try await engine.ports.store.add(
            AppKey(
                app: engine.app.name, id: key.keyID, publicKey: key.publicKey, appID: key.appID, createdAt: now,
                keptUntil: engine.appKeysKeptUntil))
        engine.countAppAttest(.attestation, AuditEvent.succeeded)
        return Outcome(Done())
    }

    private func refuse(_ label: String, in engine: AuthEngine) throws -> Outcome<Done> {
        engine.countAppAttest(.attestation, label)
        throw AuthError.attestationRefused
    }
}
