public import Foundation
public import OstiaryCore

/// A device on which an account was signed in to, and which presents a secret at its next sign-in: see decision 74.
public struct RecognizedDevice: Hashable, Sendable {
    /// The device's id.
    public var id: DeviceID
    /// The app that the device belongs to.
    public var app: AppName
    /// The account that recognizes the device.
    public var accountID: AccountID
    /// A keyed hash of the secret that the device presents next.
    public var hash: [UInt8]
    /// The time of the first sign-in.
    public var createdAt: Date
    /// The time of the last sign-in.
    public var lastUsedAt: Date
    /// The time at which the device is forgotten unless it signs in before.
    public var expiresAt: Date
    /// The number of sign-ins at which the device presented its secret.
    public var presentations: Int
    /// The client's description of the device; not verified.
    public var device: DeviceInfo?
    /// The caller's IP address at the last sign-in.
    public var address: String?
    /// The caller's `User-Agent` at the last sign-in.
    public var userAgent: String?
    /// The permission to sign in without a second factor; `nil` for none.
    public var remembered: Remembered?

    /// A permission to sign in without a second factor for a time.
    public struct Remembered: Hashable, Sendable {
        /// The end of the permission.
        public var until: Date
        /// A keyed hash of the password's version and the factors for which it was given.
        public var credentials: [UInt8]

        /// Creates a permission from its parts.
        public init(until: Date, credentials: [UInt8]) {
            self.until = until
            self.credentials = credentials
        }
    }

    /// The maximum number of devices of one account. Of those beyond it, the ones that never presented their secret are
    /// forgotten first, then those whose last sign-in is the longest ago.
    public static let limitPerAccount = 20
    /// The time after the last sign-in at which a device is forgotten, in seconds.
    public static let retentionSeconds = 180.0 * 86_400

    /// Creates a device that has presented no secret yet.
    public init(
        id: DeviceID, app: AppName, accountID: AccountID, hash: [UInt8], createdAt: Date, device: DeviceInfo? = nil,
        address: String? = nil, userAgent: String? = nil, remembered: Remembered? = nil
    ) {
        self.id = id
        self.app = app
        self.accountID = accountID
        self.hash = hash
        self.createdAt = createdAt
        lastUsedAt = createdAt
        expiresAt = createdAt.addingTimeInterval(Self.retentionSeconds)
        presentations = 0
        self.device = device
        self.address = address
        self.userAgent = userAgent
        self.remembered = remembered
    }
}
