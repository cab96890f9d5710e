#if canImport(SwiftUI) && !os(tvOS) && !os(watchOS)
public import SwiftUI

/// An app's look for the screens of a sign-in. Everything else follows the system: colours, text sizes, dark mode.
public struct AuthTheme: Sendable {
    /// The style of the buttons that send a form.
    public enum ButtonStyle: Hashable, Sendable, CaseIterable {
        /// One of SwiftUI's styles of the same name.
        case borderedProminent, bordered
        /// The style that the app has set with SwiftUI's `buttonStyle(_:)` above the screens.
        case inherited
    }

    /// The tint of buttons and links; `nil` for the app's accent colour.
    public var tint: Color?
    /// The corner radius of buttons, in points.
    public var cornerRadius: CGFloat = 12
    /// The style of the buttons that send a form.
    public var buttonStyle = ButtonStyle.borderedProminent
    /// The image above the sign-in. It is hidden from VoiceOver, which reads the title beside it.
    public var logo: Image?
    /// Marks by the provider's name, as in ``AuthScreens/socialProviders``, in place of those that the package draws.
    ///
    /// For `google` and `github` the package draws the marks as their owners require; for `apple` the button is the
    /// system's. Any other provider without an entry is shown with its first letter.
    public var providerMarks: [String: Image] = [:]

    /// Creates the default look.
    public init() {}
}

private struct AuthThemeKey: EnvironmentKey {
    static let defaultValue = AuthTheme()
}

extension EnvironmentValues {
    /// The look of the screens of a sign-in.
    public var authTheme: AuthTheme {
        get { self[AuthThemeKey.self] }
        set { self[AuthThemeKey.self] = newValue }
    }
}

extension View {
    /// Sets the look of the screens of a sign-in below this view.
    public func authTheme(_ theme: AuthTheme) -> some View { environment(\.authTheme, theme).tint(theme.tint) }
}
#endif
