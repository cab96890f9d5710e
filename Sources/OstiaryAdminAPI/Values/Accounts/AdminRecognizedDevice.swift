public import Foundation

/// A device that an account recognizes.
public struct AdminRecognizedDevice: AdminValue {
    /// The identifier.
    public var id: String = ""
    /// The time of the first sign-in on the device.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time of the last sign-in on the device.
    public var lastUsedAt: Date = Date(timeIntervalSince1970: 0)
    /// The time at which the device is forgotten.
    public var expiresAt: Date = Date(timeIntervalSince1970: 0)
    /// The time until which the device is not asked for a second factor; nil if it is asked.
    public var rememberedUntil: Date?
    /// The network address of the last sign-in.
    public var address: String?
    /// The client's `User-Agent` header at the last sign-in.
    public var userAgent: String?
    /// The client's description of the device.
    public var device: AdminDevice?

    /// The name of the value's schema.
    public static let schemaName = "RecognizedDevice"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminRecognizedDevice>] = [
        .required("id", \.id, .id),
        .required("created_at", \.createdAt, .time),
        .required("last_used_at", \.lastUsedAt, .time),
        .required("expires_at", \.expiresAt, .time),
        .nullable("remembered_until", \.rememberedUntil, .time),
        .nullable("address", \.address, .text()),
        .nullable("user_agent", \.userAgent, .text()),
        .nullable("device", \.device, .object),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
