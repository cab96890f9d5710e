import OstiaryCore

extension RenameFactor: EngineOperation {
    var handler: RenameFactorHandler { RenameFactorHandler(call: self) }
}

/// Renames a factor.
struct RenameFactorHandler: OperationHandler {
    let call: RenameFactor

    static let action = RenameFactor.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<EnrolledFactor> {
        let bearer = try await engine.factorOwner(call.accessToken)
        let renamed = try await engine.ports.store.rename(
            call.factorID, of: bearer.account.id, in: engine.app.name, to: call.name.text)
        guard let renamed else { throw Refused(.notFound, account: bearer.account.id, session: bearer.session.id) }
        return Outcome(renamed.entry, account: bearer.account.id, session: bearer.session.id)
    }
}
