#if canImport(SwiftUI)
public import SwiftUI

extension View {
    /// Shows nothing of this view while the app is not in front, so that the picture in the app switcher holds none of it.
    ///
    /// ``AuthView`` does so with the app's content; a sheet lies on top of that, and needs it for itself. Without effect on
    /// macOS, where a window goes on being read while another one is in front.
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

    func body(content: Content) -> some View {
        // Hidden, not taken away: what the person was doing is there again when they come back.
        content
            .opacity(phase == .active ? 1 : 0)
            .accessibilityHidden(phase != .active)
            .overlay {
                if phase != .active {
                    Image(systemName: "lock.fill").font(.largeTitle).foregroundStyle(.secondary)
                        .accessibilityHidden(true)
                }
            }
    }
}
#endif
#endif
