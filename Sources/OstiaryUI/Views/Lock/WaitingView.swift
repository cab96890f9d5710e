#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryClient
import SwiftUI

/// While it is not known whether somebody is signed in: a moment, as a rule.
///
/// A store that is bound to a person says nothing before they have shown themselves. Who turned its prompt away would wait for
/// ever, so that after a while there is a button that asks again.
struct WaitingView: View {
    /// Longer than a store takes that answers, shorter than a person's patience.
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
            guard (try? await model.options.surroundings.sleep(Self.patience)) != nil else { return }
            isLong = true
        }
    }
}
#endif
