#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import Accessibility
import SwiftUI

/// A button that copies a secret, and says so.
struct CopyButton: View {
    @State private var copied: String?
    let texts: AuthTexts
    let secret: String

    var body: some View {
        Button {
            Pasteboard.copySecret(secret)
            copied = secret
            AccessibilityNotification.Announcement(texts(.copied)).post()
        } label: {
            Label(texts(isCopied ? .copied : .copy), systemImage: isCopied ? "checkmark" : "doc.on.doc")
        }
        .accessibilityIdentifier("copy")
    }

    private var isCopied: Bool { copied == secret }
}
#endif
