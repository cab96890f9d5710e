import Foundation
import OstiaryCore

extension ListDevices: EngineOperation {
    var handler: ListDevicesHandler { ListDevicesHandler(call: self) }
}

/// Lists the devices that the account recognizes.
struct ListDevicesHandler: OperationHandler {
    let call: ListDevices

    static let action = ListDevices.kind

    func perform(in engine: AuthEngine) async throws -> Outcome<DeviceList> {
        let account = try await engine.signedIn(call.accessToken).account
        let now = engine.ports.system.now()
        let devices = try await engine.ports.store.devices(of: account.id, in: engine.app.name, at: now)
        let presented = engine.caller.deviceToken.map(engine.deviceHash)
        return Outcome(
            DeviceList(
                devices: devices.map { device in
                    DeviceSummary(
                        id: device.id, createdAt: device.createdAt, lastUsedAt: device.lastUsedAt,
                        isCurrent: device.hash == presented, rememberedUntil: device.rememberedUntil(at: now),
                        device: device.device, address: device.address, userAgent: device.userAgent)
                }))
    }
}

extension RecognizedDevice {
    /// Returns the end of the permission to sign in without a second factor; nil for one that is over.
    fileprivate func rememberedUntil(at now: Date) -> Date? {
        guard let until = remembered?.until, now < until else { return nil }
        return until
    }
}
