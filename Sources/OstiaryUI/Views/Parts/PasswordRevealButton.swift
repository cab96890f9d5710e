#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// Shows a password that is being typed, and hides it again.
struct PasswordRevealButton: View {
    #if canImport(UIKit)
    @ScaledMetric private var targetSize = 44.0
    #else
    @ScaledMetric private var targetSize = 24.0
    #endif
    let isRevealed: Bool
    let texts: AuthTexts
    let toggle: () -> Void

    var body: some View {
        Button(action: toggle) {
            Image(systemName: isRevealed ? "eye.slash" : "eye")
                .frame(minWidth: targetSize, minHeight: targetSize)
                .contentShape(Rectangle())
        }
        // In a form the whole row would react otherwise.
        .buttonStyle(.borderless)
        .accessibilityLabel(texts(isRevealed ? .hidePassword : .showPassword))
    }
}
#endif
