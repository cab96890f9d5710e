import Foundation
import OstiaryCore

/// Recognizes devices on which accounts were signed in to: see decision 74.
extension AuthEngine {
    /// Recognizes the device of a sign-in that has opened a session, from now on by a new secret. The sign-in is complete by
    /// then: a failure is only reported.
    ///
    /// - Returns: The secret that the device presents next; `nil` if the account does not recognize it.
    func recognizeDevice(of authentication: Authentication) async -> Secret<String>? {
        let account = authentication.account
        do {
            let known = recognized?.device.flatMap { $0.accountID == account.id ? $0 : nil }
            let device = if let known { known } else { try await presentedDevice(of: account.id) }
            if let device {
                let next = renewal(
                    of: device, describedAs: authentication.device, remembering: authentication.remembered)
                if try await ports.store.replace(next.renewal.hash, by: next.renewal.device) { return next.token }
            }
            return try await addDevice(
                of: account, describedAs: authentication.device, remembered: authentication.remembered)
        } catch {
            _ = ports.report(error)
            return nil
        }
    }

    /// Recognizes the device on which an account's owner has reset the password. A failure is only reported.
    func recognizeDevice(of id: AccountID) async -> Secret<String>? {
        do {
            guard let account = try await ports.store.account(id, in: app.name) else { return nil }
            return try await addDevice(of: account, describedAs: nil, remembered: nil)
        } catch {
            _ = ports.report(error)
            return nil
        }
    }

    /// Returns the device of an account whose secret the caller presents; `nil` for a secret that is unknown, another
    /// account's, or not the device's present one.
    func presentedDevice(of account: AccountID) async throws -> RecognizedDevice? {
        guard let presented = caller.deviceToken else { return nil }
        let device = try await ports.store.device(deviceHash(presented), in: app.name, at: ports.system.now())
        return device?.accountID == account ? device : nil
    }

    /// Returns the next secret of a device, and its replacement: a conditional write, so that of two uses of one secret one
    /// succeeds.
    ///
    /// - Parameters:
    ///   - description: The device's description of itself; `nil` to keep the one it has.
    ///   - remembered: A new permission to sign in without a second factor; `nil` to keep the one it has.
    func renewal(
        of device: RecognizedDevice, describedAs description: DeviceInfo?,
        remembering remembered: RecognizedDevice.Remembered? = nil
    ) -> (token: Secret<String>, renewal: DeviceRenewal) {
        let (token, now) = (newDeviceToken(), ports.system.now().asStored)
        var renewed = device
        renewed.hash = deviceHash(token)
        renewed.lastUsedAt = now
        renewed.expiresAt = now.addingTimeInterval(RecognizedDevice.retentionSeconds)
        renewed.presentations += 1
        if let description { renewed.device = description }
        renewed.address = caller.address
        renewed.userAgent = caller.userAgent
        renewed.remembered = remembered
        return (token, DeviceRenewal(of: device.hash, by: renewed))
    }

    /// Recognizes a further device of an account.
    ///
    /// - Returns: The secret that the device presents next; `nil` if the account was disabled or its credentials changed.
    func addDevice(
        of account: Account, describedAs description: DeviceInfo? = nil,
        remembered: RecognizedDevice.Remembered? = nil
    ) async throws -> Secret<String>? {
        let token = newDeviceToken()
        let device = RecognizedDevice(
            id: try DeviceID(ports.system.randomSessionID()), app: app.name, accountID: account.id,
            hash: deviceHash(token), createdAt: ports.system.now().asStored, device: description,
            address: caller.address, userAgent: caller.userAgent, remembered: remembered)
        return try await ports.store.add(device, credentialVersion: account.credentialVersion) ? token : nil
    }

    private func newDeviceToken() -> Secret<String> { Secret(ports.system.randomBytes(32).base64URL) }

    func deviceHash(_ token: Secret<String>) -> [UInt8] {
        ports.keys.digest(["token", token.reveal()], for: .rememberedDevices, app: app.name)
    }
}
