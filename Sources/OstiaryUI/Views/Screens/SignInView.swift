#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The screen for signing in: with the identifier of the contract, at a provider, or in the browser.
public struct SignInView: View {
    private let model: AuthViewModel
    private let open: (AuthForm) -> Void

    /// Creates the screen for a view model.
    ///
    /// - Parameters:
    ///   - model: The app's view model.
    ///   - open: Shows the screen of another form.
    public init(_ model: AuthViewModel, open: @escaping (AuthForm) -> Void) {
        self.model = model
        self.open = open
    }

    /// The form, the provider buttons and the links to other forms.
    public var body: some View {
        content.navigationTitle(model.texts(.signInTitle))
            .task(id: model.suggestsPasskeys) { await model.suggestPasskeys() }
    }

    @ViewBuilder private var content: some View {
        if model.screens.has(.signIn) {
            AuthFormView(
                model, .signIn, title: .signInButton, busyTitle: .signInBusy, submit: { model.signIn() },
                header: { SignInHeader(model: model) },
                footer: {
                    deviceLink
                    passkey
                    ProviderSection(model: model, hasForm: true)
                    links
                    SignInFooter()
                })
        } else {
            Form {
                SignInHeader(model: model)
                if let error = model.error { Section { ErrorBanner(model: model, error: error) } }
                ProviderSection(model: model, hasForm: false)
                links
                SignInFooter()
            }
            .formStyle(.grouped)
        }
    }

    @ViewBuilder private var deviceLink: some View {
        if model.deviceLinkToken != nil {
            Section {
                Text(model.texts(.deviceLinkLead)).font(.callout)
                Button(model.texts(.redeemDeviceLink)) { model.redeemDeviceLink() }
                    .disabled(model.isBusy(.redeemDeviceLink))
                    .accessibilityIdentifier("redeem-device-link")
            }
        }
    }

    @ViewBuilder private var passkey: some View {
        if model.offersPasskeySignIn {
            Section {
                Button(model.texts(.signInWithPasskey)) { model.signInWithPasskey() }
                    .disabled(model.isBusy(.passkey))
                    .accessibilityIdentifier("sign-in-passkey")
            }
        }
    }

    @ViewBuilder private var links: some View {
        if forgot != nil || model.screens.has(.register) {
            Section {
                if let forgot {
                    Button(model.texts(.forgotLink)) { open(forgot) }.accessibilityIdentifier("forgot-link")
                }
                if model.screens.has(.register) {
                    Button(model.texts(.registerLink)) { open(.register) }.accessibilityIdentifier("register-link")
                }
            }
        }
    }

    private var forgot: AuthForm? { model.screens.forgottenPassword }
}

/// The app's header or logo, and the result of a password reset.
private struct SignInHeader: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.authSlots) private var slots
    @ScaledMetric(relativeTo: .title) private var logoHeight = 72.0
    let model: AuthViewModel

    var body: some View {
        if let header = slots.header {
            Section { header.frame(maxWidth: .infinity).clearRow() }
        } else if let logo = theme.logo {
            Section {
                logo.resizable().scaledToFit().frame(height: logoHeight).frame(maxWidth: .infinity)
                    .accessibilityHidden(true)
                    .clearRow()
            }
        }
        if model.step == .passwordReset {
            Section {
                NoticeText(text: model.texts(.passwordReset), symbol: "checkmark.circle")
                    .accessibilityIdentifier("password-reset")
            }
        }
    }
}

/// The app's views below a sign-in, including its terms: the first sign-in at a provider creates an account.
private struct SignInFooter: View {
    @Environment(\.authSlots) private var slots

    var body: some View {
        if let footer = slots.footer { Section { footer.frame(maxWidth: .infinity).clearRow() } }
        TermsSection()
    }
}
#endif
