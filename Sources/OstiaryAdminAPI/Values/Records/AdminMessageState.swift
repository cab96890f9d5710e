/// The state of a message.
///
/// A newer server may answer other names, which are kept.
public struct AdminMessageState: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It waits to be sent.
    public static let queued = AdminMessageState(rawValue: "queued")
    /// A server has accepted it.
    public static let sent = AdminMessageState(rawValue: "sent")
    /// Every attempt has failed.
    public static let failed = AdminMessageState(rawValue: "failed")

    /// The names that this version knows.
    public static let allCases: [AdminMessageState] = [.queued, .sent, .failed]
}
