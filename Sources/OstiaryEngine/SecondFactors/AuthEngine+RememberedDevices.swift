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

    /// Returns the remembered device of an account whose secret the caller presents. The secret is replaced when the session
    /// is open; the time for which the device is remembered continues.
    ///
    /// - Returns: `nil` if the device must be asked: its secret is unknown, of another account, used before or expired, or the
    ///   password or the factors have changed since.
    func rememberedDevice(of account: Account, _ enrolled: EnrolledFactors) async throws -> RecognizedDevice? {
        guard app.secondFactor.remembersDevices(of: account), let device = try await presentedDevice(of: account.id),
            let remembered = device.remembered, ports.system.now().asStored < remembered.until,
            constantTimeEqual(remembered.credentials, credentials(of: account, enrolled))
        else { return nil }
        return device
    }

    /// Returns a keyed hash of what a permission is given for: the version of the password, and the ids of the factors.
    private func credentials(of account: Account, _ enrolled: EnrolledFactors) -> [UInt8] {
        digest(of: enrolled, after: ["credentials", "\(account.credentialVersion)"], for: .rememberedDevices)
    }
}
