#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
public import SwiftUI

/// A screen for deleting the account: the consequences, the password if the account has one, and a confirmation.
///
/// An app that lets people create an account must let them delete it. Source: App Store Review Guidelines §5.1.1(v).
public struct DeleteAccountView: View {
    @FocusState private var focus: AuthFields.Entry?
    @State private var asks = false
    /// `true` once the server has refused a deletion because of the password.
    @State private var wantsPassword = false
    private let model: AuthViewModel
    private let password = FormField(.password, .password)

    /// Creates the screen for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The form with its confirmation.
    public var body: some View {
        Form {
            Section { NoticeText(text: model.texts(.deleteAccountNote), symbol: "exclamationmark.triangle") }
            if asksForPassword {
                Section {
                    AuthFieldRow(
                        model: model, field: password, form: .deleteAccount, focus: $focus, isLast: true, onReturn: ask)
                } footer: {
                    Text(model.texts(.deleteAccountPassword))
                }
            }
            Section {
                if let error = model.error(outside: asksForPassword ? [password] : []) {
                    ErrorBanner(model: model, error: error)
                }
                SubmitButton(
                    title: model.texts(.deleteAccount), busyTitle: model.texts(.deleteAccountBusy),
                    isBusy: model.isBusy(.deleteAccount), isEnabled: canDelete, role: .destructive, action: ask
                )
                .tint(.red)
                .accessibilityIdentifier("deleteAccount")
            }
        }
        .formStyle(.grouped)
        .navigationTitle(model.texts(.deleteAccount))
        .titleInBar()
        .alert(model.texts(.confirmDeleteAccount), isPresented: $asks) {
            Button(model.texts(.deleteForGood), role: .destructive) { model.deleteAccount() }
            Button(model.texts(.cancel), role: .cancel) {}
        } message: {
            Text(model.texts(.deleteAccountNote))
        }
        .onChange(of: model.error) { _, error in
            guard error?.entry == .password else { return }
            wantsPassword = true
            focus = .password
        }
        .onDisappear { model.leaveScreen(of: .deleteAccount) }
        .factorSheets(model)
    }

    /// `true` if the password is required. An account of an identity provider has none.
    private var asksForPassword: Bool {
        guard model.formFields(of: .deleteAccount).contains(where: { $0.entry == .password }) else { return false }
        return wantsPassword || model.user.map { $0.authProvider == "local" } ?? true
    }

    private var canDelete: Bool {
        model.canSubmit(.deleteAccount) && !(asksForPassword && model.fields.password.isEmpty)
    }

    private func ask() {
        guard canDelete else {
            model.leave(.password)
            return
        }
        focus = nil
        asks = true
    }
}
#endif
