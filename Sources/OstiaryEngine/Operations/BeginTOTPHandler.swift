import Foundation
import OstiaryCore

extension BeginTOTP: EngineOperation {
    var handler: BeginTOTPHandler { BeginTOTPHandler(call: self) }
}

/// Generates the secret of an authenticator app, and keeps it until it is confirmed.
struct BeginTOTPHandler: OperationHandler {
    let call: BeginTOTP

    static let action = BeginTOTP.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<PendingTOTP> {
        let owner = try await engine.factorOwner(call.accessToken, adding: .totp)
        let (ports, app, account) = (engine.ports, engine.app, owner.account)
        let enrolled = try await ports.store.factors(of: account.id, in: app.name)
        guard enrolled.factors.count < Factor.limitPerAccount else {
            throw owner.refused(.factorLimitReached)
        }
        let id = try FactorID(ports.system.randomBytes(16).base64URL)
        let secret = ports.system.randomBytes(TOTP.secretBytes)
        try await ports.store.add(
            SingleUseRecord(
                app: app.name, kind: .pendingFactor, hash: engine.pendingFactorHash(id, of: account),
                payload: try engine.sealTOTP(secret, id, of: account.id),
                expiresAt: ports.system.now().addingTimeInterval(Double(SecondFactorPolicy.enrolmentSeconds))))
        let uri = TOTP.uri(
            secret: secret, issuer: app.secondFactor.issuer ?? app.name.text, account: account.label)
        return owner.outcome(PendingTOTP(factorID: id, secret: Secret(Base32.encode(secret)), uri: Secret(uri)))
    }
}
