public import Foundation
public import OstiaryCore

/// A store of the devices that accounts recognize.
///
/// A change of an account's factors ends the permissions of its devices to sign in without one, in the same transaction,
/// and ``PasswordChange`` without a session that continues forgets the devices.
public protocol DeviceStore: Sendable {
    /// Adds a device with a new id and a new hash, if the account is active and has that credential version. In the same
    /// commit it deletes the account's devices beyond ``RecognizedDevice/limitPerAccount``.
    ///
    /// - Returns: `true` if it was added.
    func add(_ device: RecognizedDevice, credentialVersion: Int) async throws -> Bool

    /// Returns the device whose present secret has that hash; `nil` if the app has none, or it has expired at `now`.
    func device(_ hash: [UInt8], in app: AppName, at now: Date) async throws -> RecognizedDevice?

    /// Replaces the device by `device`, which has a new hash, if its hash is still `hash` (compare-and-set). Its permission to
    /// sign in without a second factor stays as it is unless `device` has one.
    ///
    /// - Returns: `true` if it was.
    func replace(_ hash: [UInt8], by device: RecognizedDevice) async throws -> Bool

    /// Returns the devices of an account that have not expired at `now`, the most recently used first.
    func devices(of account: AccountID, in app: AppName, at now: Date) async throws -> [RecognizedDevice]

    /// Deletes a device of an account.
    ///
    /// - Returns: `true` if the account had it.
    func forgetDevice(_ id: DeviceID, of account: AccountID, in app: AppName) async throws -> Bool
}

/// The replacement of a device's secret.
public struct DeviceRenewal: Hashable, Sendable {
    /// The hash of the secret that is replaced.
    public var hash: [UInt8]
    /// The device, with the hash of its next secret.
    public var device: RecognizedDevice

    /// Creates a renewal from its parts.
    public init(of hash: [UInt8], by device: RecognizedDevice) {
        self.hash = hash
        self.device = device
    }
}
