#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// A note that a message was sent, which contains the next step.
struct SentView: View {
    let model: AuthViewModel
    let text: String
    /// The advice in case no message arrives; `nil` for none.
    var note: String?
    var symbol = "envelope.badge"
    let done: () -> Void

    var body: some View {
        Form {
            Section {
                NoticeText(text: text, symbol: symbol).accessibilityIdentifier("sent")
                if let note { Text(note).font(.footnote).foregroundStyle(.secondary) }
            }
            Section { Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in") }
        }
        .formStyle(.grouped)
    }
}
#endif
