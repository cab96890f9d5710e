#if canImport(UIKit) && !os(watchOS)
import Foundation
import UIKit

/// The app's `UIApplication`, for code that app extensions link too.
@MainActor
enum SharedApplication {
    /// The shared application; `nil` in an app extension, which has none.
    ///
    /// `UIApplication.shared` is declared unavailable to code that is built for extensions, so it is looked up by its
    /// selector.
    static var current: UIApplication? {
        guard Bundle.main.bundleURL.pathExtension != "appex" else { return nil }
        let selector = NSSelectorFromString("sharedApplication")
        guard UIApplication.responds(to: selector) else { return nil }
        return UIApplication.perform(selector)?.takeUnretainedValue() as? UIApplication
    }
}
#endif
