#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// A button that reveals and hides the password in a field.
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
        // With any other style the whole row of a form would react.
        .buttonStyle(.borderless)
        .accessibilityLabel(texts(isRevealed ? .hidePassword : .showPassword))
    }
}
#endif
