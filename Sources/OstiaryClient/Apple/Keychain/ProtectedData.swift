#if canImport(Security)
import Foundation

#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// The availability of the device's protected data. While it is unavailable, an item that is not found in the keychain
/// may exist.
///
/// A device that has not been unlocked since its start may report that an existing item does not exist. So no item is
/// considered absent while protected data is unavailable: an existing item is found then or later.
struct ProtectedData: Sendable {
    let isAvailable: @Sendable () async -> Bool

    /// Runs a read, and accepts that an item is missing only if protected data was available before and after it: the
    /// device may be unlocked or locked during the read.
    ///
    /// - Throws: `problem` if an item is missing and may be hidden.
    func read<Value: Sendable>(
        failingWith problem: StoreProblem, isMissing: (Value) -> Bool,
        _ body: () async throws(StoreProblem) -> Value
    ) async throws(StoreProblem) -> Value {
        let wasAvailable = await isAvailable()
        let value = try await body()
        guard isMissing(value) else { return value }
        guard wasAvailable, await isAvailable() else { throw problem }
        return value
    }

    /// The system's answer. An app's extensions cannot query it, and run while the device is unlocked or after; for
    /// them it is `true`.
    static let ofThisDevice = ProtectedData {
        #if canImport(UIKit) && !os(watchOS)
        return await MainActor.run { SharedApplication.current?.isProtectedDataAvailable ?? true }
        #else
        return true
        #endif
    }
}
#endif
