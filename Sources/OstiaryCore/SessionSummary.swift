public import Foundation

/// One entry of the account's session list.
public struct SessionSummary: Hashable, Sendable {
    /// The identifier with which ``EndSession`` revokes the session.
    public var id: SessionID
    /// The time at which the session was opened.
    public var createdAt: Date
    /// The time at which the session was last used.
    public var lastUsedAt: Date
    /// `true` for the session that requested the list.
    public var isCurrent: Bool
    /// The client's description of its device; nil if it sent none.
    public var device: DeviceInfo?
    /// The network address from which the session was last used; nil if not recorded.
    public var address: String?
    /// The client's `User-Agent` header; nil if not recorded.
    public var userAgent: String?

    /// Creates an entry from its parts.
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
