/// What a client says about the device it runs on. A label for the person's session list, never a proof.
public struct DeviceInfo: Hashable, Sendable {
    public var deviceID: String?
    public var platform: String?
    public var osVersion: String?
    public var appVersion: String?

    /// The most bytes each text may have.
    public static let maximumBytes = 200

    public init(deviceID: String? = nil, platform: String? = nil, osVersion: String? = nil, appVersion: String? = nil) {
        self.deviceID = deviceID
        self.platform = platform
        self.osVersion = osVersion
        self.appVersion = appVersion
    }
}
