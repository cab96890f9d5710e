#if canImport(Security)
import Foundation

#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

/// Whether what is not found in the keychain is not there.
///
/// A device that was not unlocked since its start may say of an item that there is none. So nothing is believed to be absent
/// while protected data cannot be read: what there is for sure, is found then or later.
struct ProtectedData: Sendable {
    let isAvailable: @Sendable () async -> Bool

    /// What the system says. An app's extensions cannot ask it, and run while the device is unlocked or after.
    static let ofThisDevice = ProtectedData {
        #if canImport(UIKit) && !os(watchOS)
        return await MainActor.run { SharedApplication.current?.isProtectedDataAvailable ?? true }
        #else
        return true
        #endif
    }
}
#endif
