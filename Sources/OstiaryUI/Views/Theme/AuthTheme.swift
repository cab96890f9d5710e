#if canImport(SwiftUI)
public import SwiftUI

/// What an app's own looks are on the screens of a sign-in. Everything else follows the system: colours, text sizes, dark mode.
public struct AuthTheme: Sendable {
    /// Of buttons and links; nil for the app's accent colour.
    public var tint: Color?
    /// Of buttons, in points.
    public var cornerRadius: CGFloat = 12
    /// Stands above the sign-in. It says nothing to VoiceOver: the title beside it does.
    public var logo: Image?
    /// The providers' own marks by the provider's name, as in ``AuthScreens/socialProviders``.
    ///
    /// Their rules ask for their files, unchanged: Google's G in its colours, GitHub's mark. This package brings none. Without
    /// one a plain letter stands there; for `apple` it is the system's symbol.
    public var providerMarks: [String: Image] = [:]

    public init() {}
}

private struct AuthThemeKey: EnvironmentKey {
    static let defaultValue = AuthTheme()
}

extension EnvironmentValues {
    public var authTheme: AuthTheme {
        get { self[AuthThemeKey.self] }
        set { self[AuthThemeKey.self] = newValue }
    }
}

extension View {
    /// Gives the screens of a sign-in below this view an app's own looks.
    public func authTheme(_ theme: AuthTheme) -> some View { environment(\.authTheme, theme).tint(theme.tint) }
}
#endif
