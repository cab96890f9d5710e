import Foundation
import OstiaryCore

extension ConfirmTOTP: EngineOperation {
    var handler: ConfirmTOTPHandler { ConfirmTOTPHandler(call: self) }
}

/// Adds an authenticator app, raises the session or completes the sign-in, and ends the account's other sessions.
struct ConfirmTOTPHandler: OperationHandler {
    let call: ConfirmTOTP

    static let action = ConfirmTOTP.kind

    /// The name of a factor that its owner does not name.
    static let usualName = "Authenticator app"

    func perform(in engine: AuthEngine) async throws -> Outcome<FactorConfirmation<RecoveryCodes>> {
        let owner = try await engine.factorOwner(call.accessToken, adding: .totp)
        return try await engine.attributing(to: owner.attribution(adding: .totp)) {
            try await confirm(for: owner, in: engine)
        }
    }

    private func confirm(
        for owner: FactorOwner, in engine: AuthEngine
    ) async throws -> Outcome<FactorConfirmation<RecoveryCodes>> {
        let (ports, app, account) = (engine.ports, engine.app, owner.account)
        let (now, hash) = (ports.system.now(), engine.pendingFactorHash(call.factorID, of: account))
        guard let record = try await ports.store.singleUseRecord(.pendingFactor, hash, in: app.name, at: now) else {
            throw owner.refused(.notFound)
        }
        try await engine.count(engine.identifierBuckets(.codeCheck, account.id.text, as: "enrolment"))
        let totp = try engine.openTOTP(record.payload, call.factorID, of: account)
        guard let step = totp.acceptedStep(of: call.code, at: now, after: nil) else {
            throw owner.refused(.codeRefused)
        }
        let factor = Factor(
            app: app.name, account: account.id, id: call.factorID, kind: .totp,
            name: call.name?.text ?? Self.usualName, material: record.payload, counter: step, createdAt: now)
        let enrolment = try await engine.enrol(
            factor, of: owner, by: AuthenticationContext.Event(method: .totp, at: now), spending: record.key)
        return enrolment.outcome(of: owner) { RecoveryCodes(codes: $0) }
    }
}
