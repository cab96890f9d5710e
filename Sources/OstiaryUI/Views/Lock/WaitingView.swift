#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryClient
import SwiftUI

/// The screen while the state of the session is unknown, which usually takes a moment.
///
/// A store that requires authentication does not answer before it. If the person dismisses its prompt, the state stays
/// unknown, so a button to prompt again appears after three seconds.
struct WaitingView: View {
    /// The delay of the button: longer than a store takes to answer.
    private static let patience: Duration = .seconds(3)

    let model: AuthViewModel
    @State private var isLong = false

    var body: some View {
        VStack(spacing: 20) {
            ProgressView(model.texts(.loading))
            if let error = model.error { MessageText(error.text).accessibilityIdentifier("error") }
            if isLong {
                SubmitButton(
                    title: model.texts(.unlock), busyTitle: model.texts(.unlockBusy), isBusy: model.isBusy(.unlock),
                    isEnabled: true
                ) {
                    model.unlock(model.texts(.unlockReason))
                }
                .accessibilityIdentifier("unlock")
            }
        }
        .padding(24)
        .frame(maxWidth: 420)
        .task {
            guard (try? await model.options.system.sleep(Self.patience)) != nil else { return }
            isLong = true
        }
    }
}
#endif
