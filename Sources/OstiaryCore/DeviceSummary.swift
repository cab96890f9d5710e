public import Foundation

/// One device that the account recognizes, as its owner sees it.
public struct DeviceSummary: Hashable, Sendable {
    /// The identifier with which ``ForgetDevice`` names the device.
    public var id: DeviceID
    /// The time of the first sign-in on the device.
    public var createdAt: Date
    /// The time of the last sign-in on the device.
    public var lastUsedAt: Date
    /// `true` for the device that requested the list.
    public var isCurrent: Bool
    /// The time until which a sign-in on the device is not asked for a second factor; nil if it is asked.
    public var rememberedUntil: Date?
    /// The client's description of the device; nil if it sent none.
    public var device: DeviceInfo?
    /// The network address of the last sign-in; nil if not recorded.
    public var address: String?
    /// The client's `User-Agent` header at the last sign-in; nil if not recorded.
    public var userAgent: String?

    /// Creates an entry from its parts.
    public init(
        id: DeviceID, createdAt: Date, lastUsedAt: Date, isCurrent: Bool, rememberedUntil: Date? = nil,
        device: DeviceInfo? = nil, address: String? = nil, userAgent: String? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.isCurrent = isCurrent
        self.rememberedUntil = rememberedUntil
        self.device = device
        self.address = address
        self.userAgent = userAgent
    }
}

extension DeviceSummary {
    var fields: Fields {
        var fields = Fields()
        fields.set(.entryId, id.text)
        fields.set(.createdAt, createdAt)
        fields.set(.lastUsedAt, lastUsedAt)
        fields[.current] = .flag(isCurrent)
        fields.set(.rememberedUntil, rememberedUntil)
        fields[.deviceInfo] = device.map { .object($0.fields) }
        fields.set(.address, address)
        fields.set(.userAgent, userAgent)
        return fields
    }

    init(_ fields: Fields) throws(AuthError) {
        self.init(
            id: try required(fields.parsed(.entryId) { (text) throws(FieldProblem) in try DeviceID(text) }, .entryId),
            createdAt: try required(fields.time(.createdAt), .createdAt),
            lastUsedAt: try required(fields.time(.lastUsedAt), .lastUsedAt),
            isCurrent: try required(fields.flag(.current), .current),
            rememberedUntil: try fields.time(.rememberedUntil), device: try fields.device(),
            address: try fields.text(.address), userAgent: try fields.text(.userAgent))
    }

    /// The fields of an entry.
    package static let specification: [FieldSpec] = [
        .required(.entryId), .required(.createdAt), .required(.lastUsedAt), .required(.current),
        .optional(.rememberedUntil), .optional(.deviceInfo), .optional(.address), .optional(.userAgent),
    ]
}
