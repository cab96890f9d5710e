#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// The looks of an app's own on the screens of a sign-in. Everything else follows the system: colours, text sizes, dark mode.
public struct AuthTheme: Sendable {
    /// The style of the buttons that send a form.
    public enum ButtonStyle: Hashable, Sendable, CaseIterable {
        case borderedProminent, bordered
        /// The style that the app has set with SwiftUI's `buttonStyle(_:)` above the screens.
        case inherited
    }

    /// Of buttons and links; nil for the app's accent colour.
    public var tint: Color?
    /// Of buttons, in points.
    public var cornerRadius: CGFloat = 12
    public var buttonStyle = ButtonStyle.borderedProminent
    /// Stands above the sign-in. It says nothing to VoiceOver: the title beside it does.
    public var logo: Image?
    /// Marks by the provider's name, as in ``AuthScreens/socialProviders``, in place of those that the package draws.
    ///
    /// For `google` and `github` the package draws the marks as their owners ask; for `apple` the button is the system's. For
    /// any other provider without an entry here, its first letter stands there.
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
