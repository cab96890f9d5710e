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
        try await engine.countChange(of: account)
        let codes = engine.newRecoveryCodes()
        let hashes = engine.hashes(of: codes, account.id)
        let undo = engine.undoLink(for: .recoveryCodesReplaced, of: account)
        let isReplaced = try await engine.ports.store.replaceRecoveryCodes(
            of: account.id, in: engine.app.name, with: hashes,
            notice: engine.notice(of: .recoveryCodesReplaced, to: account, undo),
            undo: undo?.record(addingRecoveryCodes: hashes))
        guard isReplaced else { throw Refused(.notFound, account: account.id, session: bearer.session.id) }
        engine.ports.notificationSealer.wake()
        return Outcome(
            RecoveryCodes(codes: codes.map { Secret($0.reveal()) }), account: account.id, session: bearer.session.id)
    }
}
