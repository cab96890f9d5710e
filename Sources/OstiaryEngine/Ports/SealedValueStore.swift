public import Foundation

/// Access to every value that the store keeps sealed, so that the values can be sealed again with another key.
public protocol SealedValueStore: Sendable {
    /// Returns the sealed key of that name, after adding `sealed` if there is none.
    func storeKey(_ name: String, orAdding sealed: [UInt8], at now: Date) async throws -> [UInt8]

    /// Returns at most `limit` values of a kind in the order of their positions, after a position.
    func sealedValues(
        _ kind: SealedValue.Kind, after position: SealedValue.Position?, limit: Int
    ) async throws -> [SealedValue]

    /// Replaces the bytes of a value, unless they are no longer those of `value` (compare-and-set).
    ///
    /// - Returns: `true` if they were replaced.
    func replace(_ value: SealedValue, with sealed: [UInt8]) async throws -> Bool
}
