#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// What was sent, and that the way on is in the message.
struct SentView: View {
    let model: AuthViewModel
    let text: String
    /// What to do if nothing comes of it; nil for nothing.
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
