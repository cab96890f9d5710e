#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import OstiaryClient
public import SwiftUI

/// An app's own implementation of Sign in with Apple, which passes the result to the model with
/// ``AuthViewModel/signIn(identityToken:provider:nonce:name:)``.
public typealias AppleSignInAction = @MainActor @Sendable (AuthViewModel) -> Void

private struct BrowserPresenterKey: EnvironmentKey {
    static let defaultValue: (any BrowserPresenter)? = WebAuthenticationPresenter()
}

private struct AppleSignInKey: EnvironmentKey {
    static let defaultValue: AppleSignInAction? = nil
}

private struct CoveredKey: EnvironmentKey {
    static let defaultValue = false
}

extension EnvironmentValues {
    /// The browser for the pages of a sign-in, by default the system's sheet. `nil` hides the buttons that need one.
    public var authBrowser: (any BrowserPresenter)? {
        get { self[BrowserPresenterKey.self] }
        set { self[BrowserPresenterKey.self] = newValue }
    }

    /// The action of the button for Sign in with Apple. If it is set, the button is shown for every contract.
    ///
    /// With `nil` the button is shown where the contract or ``AuthViewModel/Options/socialProviders`` names `apple`:
    /// with the system's sheet if the contract accepts ID tokens, otherwise in the browser.
    public var authAppleSignIn: AppleSignInAction? {
        get { self[AppleSignInKey.self] }
        set { self[AppleSignInKey.self] = newValue }
    }

    /// `true` while another screen is on top. A covered screen still observes changes, but moves no focus.
    var isCovered: Bool {
        get { self[CoveredKey.self] }
        set { self[CoveredKey.self] = newValue }
    }
}
#endif
