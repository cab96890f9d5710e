#if canImport(SwiftUI)
public import SwiftUI

/// Sign in: with what the contract asks for, at a provider, or in the browser.
public struct SignInView: View {
    private let model: AuthViewModel
    private let open: (AuthForm) -> Void

    /// - Parameter open: Shows the screen of another form.
    public init(_ model: AuthViewModel, open: @escaping (AuthForm) -> Void) {
        self.model = model
        self.open = open
    }

    public var body: some View {
        content.navigationTitle(model.texts(.signInTitle))
    }

    @ViewBuilder private var content: some View {
        if model.screens.has(.signIn) {
            AuthFormView(
                model, .signIn, title: .signInButton, busyTitle: .signInBusy, submit: { model.signIn() },
                header: { SignInHeader(model: model) },
                footer: {
                    ProviderSection(model: model, hasForm: true)
                    links
                })
        } else {
            Form {
                SignInHeader(model: model)
                if let error = model.error { Section { ErrorBanner(model: model, error: error) } }
                ProviderSection(model: model, hasForm: false)
                links
            }
            .formStyle(.grouped)
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

/// The app's logo, and what the person should know first.
private struct SignInHeader: View {
    @Environment(\.authTheme) private var theme
    @ScaledMetric(relativeTo: .title) private var logoHeight = 72.0
    let model: AuthViewModel

    var body: some View {
        if let logo = theme.logo {
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
#endif
