import OstiaryCore

extension ListFactors: EngineOperation {
    var handler: ListFactorsHandler { ListFactorsHandler(call: self) }
}

/// Lists the account's factors.
struct ListFactorsHandler: OperationHandler {
    let call: ListFactors

    static let action = ListFactors.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<FactorList> {
        let bearer = try await engine.signedIn(call.accessToken, requiringFactor: false)
        let enrolled = try await engine.ports.store.factors(of: bearer.account.id, in: engine.app.name)
        return Outcome(
            FactorList(
                factors: enrolled.factors.map(\.entry), recoveryCodesLeft: enrolled.recoveryCodesLeft,
                isRequired: engine.app.secondFactor.requiresFactor(of: bearer.account)))
    }
}
