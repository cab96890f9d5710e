#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// A screen for replacing the password. It dismisses itself once that has succeeded.
public struct ChangePasswordView: View {
    @Environment(\.dismiss) private var dismiss
    private let model: AuthViewModel

    /// Creates the screen for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The form for the current and the new password.
    public var body: some View {
        AuthFormView(
            model, .changePassword, title: .changePassword, busyTitle: .changePasswordBusy,
            submit: { model.changePassword() },
            header: { Section { Text(model.texts(.changePasswordNote)) } },
            footer: { EmptyView() }
        )
        .navigationTitle(model.texts(.changePassword))
        .titleInBar()
        .onAppear { model.dismiss(.passwordChanged) }
        .onChange(of: model.notices) { _, notices in
            if notices.contains(.passwordChanged) { dismiss() }
        }
        .onDisappear { model.leaveScreen(of: .changePassword) }
        .factorSheets(model)
    }
}
#endif
