import Foundation
import OstiaryCore

/// Remembers devices that showed a second factor: see decision 60.
extension AuthEngine {
    /// Remembers the device of a sign-in that showed a second factor.
    ///
    /// - Returns: The secret that the device presents at its next sign-in; `nil` where the policy does not permit it.
    func rememberDevice(of account: Account, _ enrolled: EnrolledFactors) async throws -> Secret<String>? {
        guard app.secondFactor.remembersDevices(of: account) else { return nil }
        let (token, device) = (newDeviceToken(), RememberedDevice(account, enrolled, in: self))
        let seconds = Double(app.secondFactor.rememberDeviceDays) * 86_400
        try await ports.store.add(try record(of: device, token, until: ports.system.now().addingTimeInterval(seconds)))
        return token
    }

    /// Redeems the secret of a remembered device, if the caller presents one of the account. Each use replaces the secret;
    /// the time for which the device is remembered continues.
    ///
    /// - Returns: The next secret; `nil` if the device must be asked: its secret is unknown, of another account, used
    ///   before or expired, or the password or the factors have changed since.
    func redeemRememberedDevice(of account: Account, _ enrolled: EnrolledFactors) async throws -> Secret<String>? {
        guard let presented = caller.deviceToken, app.secondFactor.remembersDevices(of: account) else { return nil }
        let (store, hash, now) = (ports.store, deviceHash(presented), ports.system.now())
        guard let found = try await store.singleUseRecord(.rememberedDevice, hash, in: app.name, at: now),
            try RememberedDevice(found) == RememberedDevice(account, enrolled, in: self)
        else { return nil }
        let next = newDeviceToken()
        let redemption = try await store.spend(
            .rememberedDevice, hash, in: app.name, at: now, for: nil,
            keeping: try record(of: RememberedDevice(found), next, until: found.expiresAt))
        guard case .spent = redemption else { return nil }
        return next
    }

    private func newDeviceToken() -> Secret<String> { Secret(ports.system.randomBytes(32).base64URL) }

    private func deviceHash(_ token: Secret<String>) -> [UInt8] {
        ports.keys.digest(["token", token.reveal()], for: .rememberedDevices, app: app.name)
    }

    private func record(
        of device: RememberedDevice, _ token: Secret<String>, until end: Date
    ) throws -> SingleUseRecord {
        SingleUseRecord(
            app: app.name, kind: .rememberedDevice, hash: deviceHash(token),
            payload: Array(try JSONEncoder().encode(device)), expiresAt: end)
    }
}

/// The state of an account for which a device is remembered: the payload of its single-use record.
private struct RememberedDevice: Codable, Equatable {
    var account: String
    var credentialVersion: Int
    /// A keyed hash of the ids of the account's factors.
    var factors: Data

    init(_ account: Account, _ enrolled: EnrolledFactors, in engine: AuthEngine) {
        self.account = account.id.text
        credentialVersion = account.credentialVersion
        factors = Data(
            engine.ports.keys.digest(
                ["factors"] + enrolled.factors.map(\.id.text).sorted(), for: .rememberedDevices, app: engine.app.name))
    }

    init(_ record: SingleUseRecord) throws { self = try JSONDecoder().decode(Self.self, from: Data(record.payload)) }
}
