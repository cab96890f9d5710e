#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import SwiftUI

/// The button that sends a form, which says so while it is under way.
struct SubmitButton: View {
    @Environment(\.authTheme) private var theme
    let title: String
    /// What stands there while it is under way.
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

    /// A row of a form that brings its own background.
    func clearRow() -> some View { listRowInsets(EdgeInsets()).listRowBackground(Color.clear) }
}
#endif
