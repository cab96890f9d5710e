/// A client's description of its device. A label for the account's session list, not evidence of the device's identity.
public struct DeviceInfo: Hashable, Sendable {
    /// An identifier that the client generated and keeps with its sessions; nil if not sent.
    public var deviceID: String?
    /// The name of the operating system, for example `Linux`; nil if not sent.
    public var platform: String?
    /// The version of the operating system; nil if not sent.
    public var osVersion: String?
    /// The version of the app; nil if not sent.
    public var appVersion: String?

    /// The maximum length of each text, in UTF-8 bytes.
    public static let maximumBytes = 200

    /// Creates a description from its parts; each is optional.
    public init(deviceID: String? = nil, platform: String? = nil, osVersion: String? = nil, appVersion: String? = nil) {
        self.deviceID = deviceID
        self.platform = platform
        self.osVersion = osVersion
        self.appVersion = appVersion
    }
}

extension DeviceInfo {
    var fields: Fields {
        var fields = Fields()
        fields.set(.deviceId, deviceID)
        fields.set(.platform, platform)
        fields.set(.osVersion, osVersion)
        fields.set(.appVersion, appVersion)
        return fields
    }

    init(_ fields: Fields) throws(AuthError) {
        self.init(
            deviceID: try fields.text(.deviceId),
            platform: try fields.text(.platform),
            osVersion: try fields.text(.osVersion),
            appVersion: try fields.text(.appVersion))
    }
}
