/// A client's description of its device.
public struct AdminDevice: AdminValue {
    /// An identifier that the client generated.
    public var deviceID: String?
    /// The name of the operating system.
    public var platform: String?
    /// The version of the operating system.
    public var osVersion: String?
    /// The version of the app.
    public var appVersion: String?

    /// The name of the value's schema.
    public static let schemaName = "Device"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminDevice>] = [
        .nullable("device_id", \.deviceID, .text()),
        .nullable("platform", \.platform, .text()),
        .nullable("os_version", \.osVersion, .text()),
        .nullable("app_version", \.appVersion, .text()),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
