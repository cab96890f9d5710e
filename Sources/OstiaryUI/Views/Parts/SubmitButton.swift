#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The button that sends a form, with a progress indicator while it is being sent.
struct SubmitButton: View {
    @Environment(\.authTheme) private var theme
    let title: String
    /// The title while the form is being sent.
    let busyTitle: String
    let isBusy: Bool
    let isEnabled: Bool
    var role: ButtonRole?
    let action: () -> Void

    var body: some View {
        Button(role: role, action: action) {
            HStack(spacing: 8) {
                if isBusy { ProgressView().accessibilityHidden(true) }
                Text(isBusy ? busyTitle : title)
            }
            .frame(maxWidth: .infinity)
        }
        .submitStyle(theme.buttonStyle)
        .buttonBorderShape(.roundedRectangle(radius: theme.cornerRadius))
        .controlSize(.large)
        .disabled(!isEnabled || isBusy)
        .clearRow()
    }
}

extension View {
    @ViewBuilder fileprivate func submitStyle(_ style: AuthTheme.ButtonStyle) -> some View {
        switch style {
        case .borderedProminent: buttonStyle(.borderedProminent)
        case .bordered: buttonStyle(.bordered)
        case .inherited: self
        }
    }

    /// Formats a row of a form that draws its own background.
    func clearRow() -> some View { listRowInsets(EdgeInsets()).listRowBackground(Color.clear) }
}
#endif
