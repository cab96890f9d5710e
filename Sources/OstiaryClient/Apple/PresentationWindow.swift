#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// The app's frontmost window, over which sheets are shown.
@MainActor
enum PresentationWindow {
    /// The window; `nil` for an app without a visible one: in the background, or before its first. `nil` in an app
    /// extension.
    static var current: ASPresentationAnchor? {
        #if canImport(UIKit)
        let scenes = (SharedApplication.current?.connectedScenes ?? []).compactMap { $0 as? UIWindowScene }
        let active = scenes.first { $0.activationState == .foregroundActive }
        let scene = active ?? scenes.first { $0.activationState == .foregroundInactive }
        // No window is key while a keyboard's or another program's window lies on top.
        return scene.flatMap { $0.keyWindow ?? $0.windows.first { !$0.isHidden } }
        #else
        return NSApplication.shared.keyWindow ?? NSApplication.shared.windows.first(where: \.isVisible)
        #endif
    }
}
#endif
