import OstiaryCore

extension ReplaceRecoveryCodes: EngineOperation {
    var handler: ReplaceRecoveryCodesHandler { ReplaceRecoveryCodesHandler(call: self) }
}

/// Replaces the recovery codes, and informs the owner.
struct ReplaceRecoveryCodesHandler: OperationHandler {
    let call: ReplaceRecoveryCodes

    static let action = ReplaceRecoveryCodes.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<RecoveryCodes> {
        let bearer = try await engine.factorOwner(call.accessToken)
        let account = bearer.account
        let codes = engine.newRecoveryCodes()
        let isReplaced = try await engine.ports.store.replaceRecoveryCodes(
            of: account.id, in: engine.app.name, with: engine.hashes(of: codes, account.id),
            notice: engine.notice(.recoveryCodesReplaced, to: account))
        guard isReplaced else { throw Refused(.notFound, account: account.id, session: bearer.session.id) }
        engine.ports.notificationSealer.wake()
        return Outcome(
            RecoveryCodes(codes: codes.map { Secret($0.reveal()) }), account: account.id, session: bearer.session.id)
    }
}
