public import Foundation

/// Stores keep times as whole milliseconds since 1970, so that all of them store and compare times alike.
extension Date {
    public init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// Rounded to the nearest; times too far for a column become the nearest it holds.
    public var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1000).rounded()
        // Half the range, so that a lifetime can be added without overflow.
        let bound = Double(Int64.max / 2)
        return exact.isNaN ? 0 : Int64(max(-bound, min(bound, exact)))
    }

    /// This time as a store gives it back.
    public var asStored: Date { Date(milliseconds: milliseconds) }
}
