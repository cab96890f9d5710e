import OstiaryCore

extension BeginAttestation: EngineOperation {
    var handler: BeginAttestationHandler { BeginAttestationHandler() }
}

/// Returns the challenge of an attestation. Reads and writes nothing in the store.
struct BeginAttestationHandler: OperationHandler {
    static let action = BeginAttestation.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<AttestationChallenge> {
        _ = try engine.appAttestSettings()
        return Outcome(AttestationChallenge(challenge: KeyChallenge(in: engine).bytes.base64URL))
    }
}
