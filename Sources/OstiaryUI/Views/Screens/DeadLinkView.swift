#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The screen for a refused link, without fields.
struct DeadLinkView: View {
    let model: AuthViewModel
    let error: ShownError
    let done: () -> Void
    let renew: (() -> Void)?
    /// The title of the button that starts again.
    let renewTitle: TextKey
    let renewName: String

    var body: some View {
        Form {
            Section { MessageText(error.text).accessibilityIdentifier("error") }
            Section {
                if let renew {
                    Button(model.texts(renewTitle), action: renew).accessibilityIdentifier(renewName)
                }
                Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in")
            }
        }
        .formStyle(.grouped)
        .navigationTitle(model.texts(.linkOver))
    }
}
#endif
