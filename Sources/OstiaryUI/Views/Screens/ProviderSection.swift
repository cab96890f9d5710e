#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import OstiaryClient
import SwiftUI

/// The ways in that lead through the browser, and Apple's own on the device.
struct ProviderSection: View {
    @Environment(\.authBrowser) private var browser
    @Environment(\.authAppleSignIn) private var appleSignIn
    let model: AuthViewModel
    /// Whether there is a form above, which this is the other way to.
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

    /// Apple's first, which its rules want no less prominent than any other.
    private var providers: [String] {
        let named = model.screens.socialProviders
        let others = browser == nil ? [] : named.filter { $0 != "apple" }
        return (hasApple(named) ? ["apple"] : []) + others
    }

    private func hasApple(_ named: [String]) -> Bool {
        appleSignIn != nil || (named.contains("apple") && (model.screens.takesIdentityTokens || browser != nil))
    }

    /// The system's button asks by itself. Where the app or the browser does, and while the server checks the answer, the
    /// button is one of ours.
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
