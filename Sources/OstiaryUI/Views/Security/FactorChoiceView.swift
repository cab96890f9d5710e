#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
import OstiaryCore
import SwiftUI

/// The step of a sign-in to an account that must add a second factor: the choice of one.
struct FactorChoiceView: View {
    let model: AuthViewModel
    let open: (AuthForm) -> Void
    let done: () -> Void

    var body: some View {
        Form {
            if let error = model.error { Section { ErrorBanner(model: model, error: error) } }
            if !model.addableFactors.isEmpty {
                Section {
                    NoticeText(text: model.texts(.mustAddFactor), symbol: "lock.shield")
                    ForEach(model.addableFactors, id: \.self) { method in row(method) }
                }
            }
            Section {
                Button(model.texts(.backToSignIn), action: done).accessibilityIdentifier("back-to-sign-in")
            }
        }
        .formStyle(.grouped)
    }

    @ViewBuilder private func row(_ method: ChallengeMethod) -> some View {
        if method == .passkey {
            AddPasskeyButton(model: model)
        } else {
            Button {
                open(.confirmTOTP)
            } label: {
                Label(model.texts(.addAuthenticator), systemImage: "lock.rotation")
            }
            .disabled(model.isBusy(.addPasskey))
            .accessibilityIdentifier("add-authenticator")
        }
    }
}

/// The button that creates a passkey and adds it.
struct AddPasskeyButton: View {
    let model: AuthViewModel

    var body: some View {
        Button {
            model.addPasskey()
        } label: {
            Label(
                model.texts(model.isBusy(.addPasskey) ? .addPasskeyBusy : .addPasskey), systemImage: "person.badge.key")
        }
        .disabled(model.isBusy(.addPasskey))
        .accessibilityIdentifier("add-passkey")
    }
}
#endif
