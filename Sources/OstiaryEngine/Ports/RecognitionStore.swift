public import Foundation

/// Finds the records by which an account recognizes a caller.
public protocol RecognitionStore: AttemptStore, DeviceStore {
    /// Returns the records of a caller. Advisory only, as ``AttemptStore/attempt(_:)``.
    func callerRecord(_ query: CallerQuery, at now: Date) async throws -> CallerRecord
}

extension RecognitionStore {
    /// Returns the records of a caller, one by one.
    public func callerRecord(_ query: CallerQuery, at now: Date) async throws -> CallerRecord {
        var record = CallerRecord()
        if let hash = query.device, let device = try await device(hash, in: query.app, at: now),
            let counter = query.deviceCounter(device)
        {
            record.device = device
            record.deviceAttempts = try await attempt(counter)
        }
        if let network = query.network, try await isKnown(network, at: now) {
            record.isNetworkKnown = true
            record.networkAttempts = try await attempt(query.networkCounter)
        }
        return record
    }
}

/// The device and the network of a caller.
public struct CallerQuery: Sendable {
    /// The app that is called.
    public var app: AppName
    /// A keyed hash of the secret that the device presents; `nil` for none.
    public var device: [UInt8]?
    /// Returns the counter of a device's failures; `nil` for a device of another account.
    public var deviceCounter: @Sendable (RecognizedDevice) -> String?
    /// The network; `nil` for a caller inside the process.
    public var network: KnownNetwork?
    /// The counter of the network's failures.
    public var networkCounter: String

    /// Creates a query from its parts.
    public init(
        app: AppName, device: [UInt8]?, deviceCounter: @escaping @Sendable (RecognizedDevice) -> String?,
        network: KnownNetwork?, networkCounter: String
    ) {
        self.app = app
        self.device = device
        self.deviceCounter = deviceCounter
        self.network = network
        self.networkCounter = networkCounter
    }
}

/// The records by which an account recognizes a caller.
public struct CallerRecord: Hashable, Sendable {
    /// The device; `nil` for one that the account does not know.
    public var device: RecognizedDevice?
    /// The failures of the device, also those that have expired; `nil` for none.
    public var deviceAttempts: AttemptRecord?
    /// `true` if the account was signed in to from the network.
    public var isNetworkKnown: Bool
    /// The failures of the network, also those that have expired; `nil` for none.
    public var networkAttempts: AttemptRecord?

    /// Creates a record from its parts.
    public init(
        device: RecognizedDevice? = nil, deviceAttempts: AttemptRecord? = nil, isNetworkKnown: Bool = false,
        networkAttempts: AttemptRecord? = nil
    ) {
        self.device = device
        self.deviceAttempts = deviceAttempts
        self.isNetworkKnown = isNetworkKnown
        self.networkAttempts = networkAttempts
    }
}
