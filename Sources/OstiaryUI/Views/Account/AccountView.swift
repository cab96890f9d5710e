#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryClient
import OstiaryCore
public import SwiftUI

/// The account that is signed in, with the actions that the app's contract offers.
///
/// Put it into a `NavigationStack` of the app, for example in its settings.
public struct AccountView: View {
    private let model: AuthViewModel
    @State private var asksToSignOut = false

    /// Creates the screen for a view model.
    public init(_ model: AuthViewModel) { self.model = model }

    /// The form with the account's data and actions.
    public var body: some View {
        Form {
            AccountNotices(model: model)
            if case .signedIn(let session, _) = model.state {
                Section { PersonRow(person: PersonLines(session), texts: model.texts) }
            }
            if model.screens.has(.updateProfile) { NameSection(model: model) }
            accessSection
            SecuritySection(model)
            AccountsSection(model: model)
            Section { SignOutButton(model: model, asks: $asksToSignOut) }
            if model.screens.has(.deleteAccount) { deletionSection }
        }
        .formStyle(.grouped)
        .navigationTitle(model.texts(.account))
        .asksToSignOut(model, $asksToSignOut)
        .factorSheets(model)
        // Not on the section: its rows are created again when they scroll into view, which would discard the input.
        .onChange(of: model.user, initial: true) { old, user in
            let isReload = old != user && old?.id == user?.id
            let isChangedHere = model.fields.name != old?.fullName?.text ?? ""
            if !(isReload && isChangedHere) { model.fields.name = user?.fullName?.text ?? "" }
        }
        .task {
            model.loadUser()
            model.loadAccounts()
        }
        .task(id: model.session) { model.loadFactors() }
    }

    @ViewBuilder private var accessSection: some View {
        if model.screens.has(.changePassword) || model.screens.listsSessions || model.screens.listsDevices {
            Section {
                if model.screens.has(.changePassword) {
                    NavigationLink {
                        ChangePasswordView(model)
                    } label: {
                        Label(model.texts(.changePassword), systemImage: "key")
                    }
                    .accessibilityIdentifier("change-password")
                }
                if model.screens.listsSessions {
                    NavigationLink {
                        SessionsView(model)
                    } label: {
                        Label(model.texts(.sessions), systemImage: "laptopcomputer.and.iphone")
                    }
                    .accessibilityIdentifier("sessions")
                }
                if model.screens.listsDevices {
                    NavigationLink {
                        DevicesView(model)
                    } label: {
                        Label(model.texts(.devices), systemImage: "checkmark.shield")
                    }
                    .accessibilityIdentifier("devices")
                }
            }
        }
    }

    private var deletionSection: some View {
        Section {
            NavigationLink {
                DeleteAccountView(model)
            } label: {
                Label(model.texts(.deleteAccount), systemImage: "trash").foregroundStyle(.red)
            }
            .accessibilityIdentifier("delete-account")
        }
    }
}

/// The results and errors of actions on the account.
private struct AccountNotices: View {
    let model: AuthViewModel

    var body: some View {
        let notices = model.notices.filter(\.isOfAccount)
        let error = model.error(outside: model.formFields(of: .updateProfile))
        if !notices.isEmpty || error != nil {
            Section {
                ForEach(notices, id: \.self) { notice in
                    NoticeText(text: model.texts.text(of: notice), symbol: "checkmark.circle")
                        .accessibilityIdentifier(notice.rawValue)
                }
                if let error { ErrorBanner(model: model, error: error) }
            }
        }
    }
}
#endif
