import Foundation
import OstiaryCore

extension RedeemDeviceLink: EngineOperation {
    var handler: RedeemDeviceLinkHandler { RedeemDeviceLinkHandler(call: self) }
}

/// Recognizes the device of a person who holds the token of a mailed link.
struct RedeemDeviceLinkHandler: OperationHandler {
    let call: RedeemDeviceLink

    static let action = RedeemDeviceLink.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<Done> {
        let token = try DeviceLinkToken(call.token, in: engine)
        let account = try await engine.account(of: token)
        do {
            try await engine.ports.store.add(token.use(in: engine))
        } catch StoreRefusal.alreadySpent {
            throw Refused(.challengeRefused, account: account.id)
        }
        let deviceToken = try await engine.addDevice(of: account)
        guard let deviceToken else { throw Refused(.challengeRefused, account: account.id) }
        return Outcome(Done(deviceToken: deviceToken), account: account.id)
    }
}
