#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
public import OstiaryClient
public import SwiftUI

/// Signs in with Apple on the device itself, and tells the model what came of it: see
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
    /// The browser for the pages of a sign-in: the system's sheet unless another is set. With nil no button needs one.
    public var authBrowser: (any BrowserPresenter)? {
        get { self[BrowserPresenterKey.self] }
        set { self[BrowserPresenterKey.self] = newValue }
    }

    /// What the button of Sign in with Apple does, which is there then for every contract.
    ///
    /// Nil to have it where contract or ``AuthViewModel/Options/socialProviders`` name `apple`: in the system's own sheet if
    /// the contract takes what that tells, else in the browser.
    public var authAppleSignIn: AppleSignInAction? {
        get { self[AppleSignInKey.self] }
        set { self[AppleSignInKey.self] = newValue }
    }

    /// Whether another screen lies on top. A covered one still hears of changes, and takes no focus for them.
    var isCovered: Bool {
        get { self[CoveredKey.self] }
        set { self[CoveredKey.self] = newValue }
    }
}
#endif
