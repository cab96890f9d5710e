#if canImport(SwiftUI)
import SwiftUI

/// What was sent, and that the way on is in the message.
struct SentView: View {
    let model: AuthViewModel
    let text: String
    let done: () -> Void

    var body: some View {
        Form {
            Section { NoticeText(text: text, symbol: "envelope.badge").accessibilityIdentifier("sent") }
            Section { Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in") }
        }
        .formStyle(.grouped)
    }
}
#endif
