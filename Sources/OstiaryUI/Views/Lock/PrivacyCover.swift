#if canImport(SwiftUI)
public import SwiftUI

extension View {
    /// Shows nothing of this view while the app is not in front, so that the picture in the app switcher holds none of it.
    ///
    /// ``AuthView`` does so with the app's content; a sheet lies on top of that, and needs it for itself. It
    /// goes by `scenePhase`, which SwiftUI keeps for apps with its own life cycle. Without effect on macOS, where a window
    /// goes on being read while another one is in front.
    public func hidesWhileInactive() -> some View {
        #if canImport(UIKit)
        modifier(PrivacyCover())
        #else
        self
        #endif
    }
}

extension View {
    /// Shows nothing of this view before it is known what holds after the app was away.
    func hidden(whileAway isAway: Bool) -> some View { opacity(isAway ? 0 : 1).accessibilityHidden(isAway) }
}

#if canImport(UIKit)
private struct PrivacyCover: ViewModifier {
    @Environment(\.scenePhase) private var phase
    /// In a hosting controller of an app with UIKit's life cycle the phase is never `.active`: then it says nothing.
    @State private var wasActive = false

    private var hides: Bool { wasActive && phase != .active }

    func body(content: Content) -> some View {
        // Hidden, not taken away: unless it is locked, it is there again when they come back.
        content
            .opacity(hides ? 0 : 1)
            .accessibilityHidden(hides)
            .overlay {
                if hides {
                    Image(systemName: "lock.fill").font(.largeTitle).foregroundStyle(.secondary)
                        .accessibilityHidden(true)
                }
            }
            .onChange(of: phase, initial: true) { _, phase in
                if phase == .active { wasActive = true }
            }
    }
}
#endif
#endif
