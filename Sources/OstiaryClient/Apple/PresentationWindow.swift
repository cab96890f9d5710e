#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// The window that the person has in front of them.
@MainActor
enum PresentationWindow {
    /// Nil for an app that shows none: in the background, or before its first. Nil in an app extension.
    static var current: ASPresentationAnchor? {
        #if canImport(UIKit)
        let scenes = (SharedApplication.current?.connectedScenes ?? []).compactMap { $0 as? UIWindowScene }
        let active = scenes.first { $0.activationState == .foregroundActive }
        let scene = active ?? scenes.first { $0.activationState == .foregroundInactive }
        // None is key while a keyboard's or another program's window lies on top.
        return scene.flatMap { $0.keyWindow ?? $0.windows.first { !$0.isHidden } }
        #else
        return NSApplication.shared.keyWindow ?? NSApplication.shared.windows.first(where: \.isVisible)
        #endif
    }
}
#endif
