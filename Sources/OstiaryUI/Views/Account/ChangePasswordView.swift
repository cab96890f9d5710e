#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// Replace the password by another. Goes back by itself once that is done.
public struct ChangePasswordView: View {
    @Environment(\.dismiss) private var dismiss
    private let model: AuthViewModel

    public init(_ model: AuthViewModel) { self.model = model }

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
    }
}
#endif
