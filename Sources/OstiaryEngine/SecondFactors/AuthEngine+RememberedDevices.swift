import Foundation
import OstiaryCore

/// Remembers devices that showed a second factor: a property of a recognized device, see decision 74.
extension AuthEngine {
    /// Returns the permission that a sign-in which showed a second factor gives its device.
    ///
    /// - Returns: Nil where the policy does not permit it.
    func remembered(of account: Account, _ enrolled: EnrolledFactors) -> RecognizedDevice.Remembered? {
        guard app.secondFactor.remembersDevices(of: account) else { return nil }
        let seconds = Double(app.secondFactor.rememberDeviceDays) * 86_400
        return RecognizedDevice.Remembered(
            until: ports.system.now().addingTimeInterval(seconds).asStored,
            credentials: credentials(of: account, enrolled))
    }

    /// Redeems the secret of a remembered device, if the caller presents one of the account. Each use replaces the secret;
    /// the time for which the device is remembered continues.
    ///
    /// - Returns: The next secret; `nil` if the device must be asked: its secret is unknown, of another account, used
    ///   before or expired, or the password or the factors have changed since.
    func redeemRememberedDevice(
        of account: Account, _ enrolled: EnrolledFactors, describedAs description: DeviceInfo?
    ) async throws -> Secret<String>? {
        guard app.secondFactor.remembersDevices(of: account), let device = try await presentedDevice(of: account.id),
            let remembered = device.remembered, ports.system.now().asStored < remembered.until,
            constantTimeEqual(remembered.credentials, credentials(of: account, enrolled))
        else { return nil }
        return try await renewSecret(of: device, describedAs: description)
    }

    /// Returns a keyed hash of what a permission is given for: the version of the password, and the ids of the factors.
    private func credentials(of account: Account, _ enrolled: EnrolledFactors) -> [UInt8] {
        ports.keys.digest(
            ["credentials", "\(account.credentialVersion)"] + enrolled.factors.map(\.id.text).sorted(),
            for: .rememberedDevices, app: app.name)
    }
}
