public import Foundation

/// One session in a person's list of sessions.
public struct SessionSummary: Hashable, Sendable {
    public var id: SessionID
    public var createdAt: Date
    public var lastUsedAt: Date
    /// The session that asked for the list.
    public var isCurrent: Bool
    public var device: DeviceInfo?
    /// The network address it was last used from.
    public var address: String?
    public var userAgent: String?

    public init(
        id: SessionID, createdAt: Date, lastUsedAt: Date, isCurrent: Bool, device: DeviceInfo? = nil,
        address: String? = nil, userAgent: String? = nil
    ) {
        self.id = id
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.isCurrent = isCurrent
        self.device = device
        self.address = address
        self.userAgent = userAgent
    }
}
