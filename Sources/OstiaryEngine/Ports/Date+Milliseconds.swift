public import Foundation

/// Stores keep times as whole milliseconds since 1970, so every store keeps and compares times alike.
extension Date {
    /// Creates a date from milliseconds since 1970.
    public init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The milliseconds since 1970, rounded to the nearest; times out of a column's range are clamped to it, NaN is 0.
    public var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1000).rounded()
        // Half the range, so that a lifetime can be added without overflow.
        let bound = Double(Int64.max / 2)
        return exact.isNaN ? 0 : Int64(max(-bound, min(bound, exact)))
    }

    /// This date rounded to the milliseconds that a store keeps.
    public var asStored: Date { Date(milliseconds: milliseconds) }
}
