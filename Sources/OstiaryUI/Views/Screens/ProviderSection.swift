#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import OstiaryClient
import SwiftUI

/// The buttons for signing in through the browser, and with Apple on the device.
struct ProviderSection: View {
    @Environment(\.authBrowser) private var browser
    @Environment(\.authAppleSignIn) private var appleSignIn
    let model: AuthViewModel
    /// `true` if there is a form above, to which these buttons are the alternative.
    let hasForm: Bool

    var body: some View {
        if !providers.isEmpty || hasBrowserButton {
            Section {
                if let browser, hasBrowserButton {
                    SubmitButton(
                        title: model.texts(.signInWithBrowser), busyTitle: model.texts(.browserBusy),
                        isBusy: model.isBusy(.browserSignIn(provider: nil)), isEnabled: !model.isEntering,
                        action: { model.signInWithBrowser(using: browser) }
                    )
                    .accessibilityIdentifier("sign-in-browser")
                }
                ForEach(providers, id: \.self) { provider in
                    if provider == "apple", hasSystemButton {
                        AppleButton(model: model)
                    } else {
                        ProviderButton(model, provider) { signIn(at: provider) }
                    }
                }
            } header: {
                if hasForm { Text(model.texts(.or)) }
            } footer: {
                if hasBrowserButton { Text(model.texts(.browserHint)) }
            }
        }
    }

    private var hasBrowserButton: Bool { browser != nil && model.screens.signsInWithBrowser }

    /// The providers with Apple's first: its rules require a button no less prominent than any other.
    private var providers: [String] {
        let named = model.screens.socialProviders
        let others = browser == nil ? [] : named.filter { $0 != "apple" }
        return (hasApple(named) ? ["apple"] : []) + others
    }

    private func hasApple(_ named: [String]) -> Bool {
        appleSignIn != nil || (named.contains("apple") && (model.screens.takesIdentityTokens || browser != nil))
    }

    /// `true` for the system's button, which presents Apple's sheet itself. The package draws the button if the app or
    /// the browser handles the sign-in, and while the server checks the answer.
    private var hasSystemButton: Bool {
        appleSignIn == nil && model.screens.takesIdentityTokens && !model.isBusy(.identityToken(provider: "apple"))
    }

    private func signIn(at provider: String) {
        if provider == "apple", let appleSignIn {
            appleSignIn(model)
        } else if let browser {
            model.signInWithBrowser(provider: provider, using: browser)
        }
    }
}
#endif
