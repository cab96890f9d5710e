#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The screen in place of the app's content while the session is locked: unlock, or sign out.
///
/// It prompts by itself, once each time the app enters the foreground, but not after the session was locked while the
/// app was in the foreground. A prompt makes the app inactive and active again, so prompting at each activation would
/// never end.
public struct LockView: View {
    @Environment(\.scenePhase) private var phase
    @Environment(\.authTheme) private var theme
    @State private var hasAsked = false
    @State private var hasLeft = false
    @State private var asksToSignOut = false
    private let model: AuthViewModel
    private let reason: String

    /// Creates the screen for a view model.
    ///
    /// - Parameters:
    ///   - model: The app's view model.
    ///   - reason: The text of the system's prompt, in a short sentence; `nil` for a general one.
    public init(_ model: AuthViewModel, reason: String? = nil) {
        self.model = model
        self.reason = reason ?? model.texts(.unlockReason)
    }

    /// The explanation and the buttons, centred.
    public var body: some View {
        // With the largest text sizes the content is taller than the screen.
        ScrollView {
            VStack(spacing: 20) {
                if let logo = theme.logo { logo.accessibilityHidden(true) }
                Image(systemName: "lock.fill").font(.largeTitle).foregroundStyle(.tint).accessibilityHidden(true)
                Text(model.texts(.lockTitle)).font(.title).accessibilityAddTraits(.isHeader)
                explanation.multilineTextAlignment(.center)
                SubmitButton(
                    title: model.texts(.unlock), busyTitle: model.texts(.unlockBusy), isBusy: model.isBusy(.unlock),
                    isEnabled: true, action: unlock
                )
                .accessibilityIdentifier("unlock")
                SignOutButton(model: model, asks: $asksToSignOut)
            }
            .padding(24)
            .frame(maxWidth: 420)
            .frame(maxWidth: .infinity)
        }
        .asksToSignOut(model, $asksToSignOut)
        .onChange(of: phase, initial: true) { _, phase in
            switch phase {
            case .active where !hasAsked && (hasLeft || !model.wasLockedInFront): unlock()
            case .background: (hasAsked, hasLeft) = (false, true)
            default: break
            }
        }
    }

    @ViewBuilder private var explanation: some View {
        if let error = model.error {
            MessageText(error.text).accessibilityIdentifier("error")
        } else {
            Text(model.texts(hasAsked && !model.isBusy(.unlock) ? .unlockCancelled : .lockNote))
                .accessibilityIdentifier("lock-note")
        }
    }

    private func unlock() {
        hasAsked = true
        model.unlock(reason)
    }
}
#endif
