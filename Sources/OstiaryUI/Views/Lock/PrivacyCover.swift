#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The scene phases in which a view's content is hidden.
public enum PrivacyCover: Hashable, Sendable {
    /// The content is never hidden. The app switcher shows it.
    case never
    /// The content is hidden while its scene is in the background, when the system takes the snapshot for the app
    /// switcher. Permission alerts, payment sheets and Control Center only make a scene inactive, and hide nothing.
    case background
    /// The content is hidden while its scene is not active, also behind alerts of the system.
    case inactive

    fileprivate func hides(in phase: ScenePhase) -> Bool {
        switch self {
        case .never: false
        case .background: phase == .background
        case .inactive: phase != .active
        }
    }
}

extension View {
    /// Hides this view while its scene is in the background or inactive, so that the app switcher does not show it.
    ///
    /// ``AuthView`` applies it to the app's content. A sheet covers that content and needs the modifier on its own
    /// content. The modifier reads the `scenePhase` of the view's own scene, which SwiftUI updates in apps with its
    /// life cycle. It has no effect on macOS, where a window stays readable while another one is active.
    ///
    /// - Parameter cover: The phases in which the view is hidden.
    public func privacyCover(_ cover: PrivacyCover = .background) -> some View {
        #if canImport(UIKit)
        modifier(PrivacyCoverModifier(cover: cover))
        #else
        self
        #endif
    }
}

extension View {
    /// Hides this view after the app was in the background, until the lock has been evaluated.
    func hidden(inBackground isInBackground: Bool) -> some View {
        opacity(isInBackground ? 0 : 1).accessibilityHidden(isInBackground)
    }
}

#if canImport(UIKit)
private struct PrivacyCoverModifier: ViewModifier {
    @Environment(\.scenePhase) private var phase
    /// `false` in a hosting controller of an app with UIKit's life cycle, where the phase is never `.active`.
    @State private var wasActive = false
    let cover: PrivacyCover

    private var hides: Bool { wasActive && cover.hides(in: phase) }

    func body(content: Content) -> some View {
        // Hidden, not removed: the content keeps its state.
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
