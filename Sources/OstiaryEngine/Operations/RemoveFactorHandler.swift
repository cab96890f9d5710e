import OstiaryCore

extension RemoveFactor: EngineOperation {
    var handler: RemoveFactorHandler { RemoveFactorHandler(call: self) }
}

/// Removes a factor, and informs the owner.
struct RemoveFactorHandler: OperationHandler {
    let call: RemoveFactor

    static let action = RemoveFactor.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let bearer = try await engine.factorOwner(call.accessToken)
        let account = bearer.account
        let enrolled = try await engine.ports.store.factors(of: account.id, in: engine.app.name)
        guard let factor = enrolled.factors.first(where: { $0.id == call.factorID }) else {
            throw Refused(.notFound, account: account.id, session: bearer.session.id)
        }
        try await engine.countChange(of: account)
        let undo = engine.undoLink(for: .removed, kind: factor.kind, of: account)
        try await engine.reserveCredentialIDs(of: [factor], for: undo)
        let outcome = try await engine.ports.store.remove(
            call.factorID, of: account.id, in: engine.app.name,
            keepingLast: engine.app.secondFactor.requiresFactor(of: account),
            notice: engine.notice(of: .removed, kind: factor.kind, to: account, undo), undo: undo?.record())
        switch outcome {
        case .removed: engine.ports.notificationSealer.wake()
        case .isLast: throw Refused(.factorRequired, account: account.id, session: bearer.session.id)
        case .unknown: throw Refused(.notFound, account: account.id, session: bearer.session.id)
        }
        return Outcome(Done(), account: account.id, session: bearer.session.id)
    }
}
