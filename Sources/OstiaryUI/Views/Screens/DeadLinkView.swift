#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The link was of no use: nothing is left to fill in.
struct DeadLinkView: View {
    let model: AuthViewModel
    let error: ShownError
    let done: () -> Void
    let renew: (() -> Void)?
    /// What stands on the button that begins anew.
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
