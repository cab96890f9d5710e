/// The state of a delivery.
///
/// A newer server may answer other names, which are kept.
public struct AdminEventDeliveryState: RawRepresentable, Hashable, Sendable, CaseIterable {
    /// The name on the wire.
    public var rawValue: String

    /// Creates a value from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It waits for its next attempt.
    public static let pending = AdminEventDeliveryState(rawValue: "pending")
    /// The receiver has accepted it.
    public static let delivered = AdminEventDeliveryState(rawValue: "delivered")
    /// Every attempt has failed.
    public static let failed = AdminEventDeliveryState(rawValue: "failed")

    /// The names that this version knows.
    public static let allCases: [AdminEventDeliveryState] = [.pending, .delivered, .failed]
}
