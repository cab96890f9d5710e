#if canImport(SwiftUI) && canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import AuthenticationServices
import OstiaryClient
import SwiftUI

/// The system's button for Sign in with Apple, which presents the system's sheet.
///
/// Source: Apple, "SignInWithAppleButton"; Human Interface Guidelines, "Sign in with Apple".
struct AppleButton: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.colorScheme) private var colorScheme
    @ScaledMetric private var height = 44.0
    @State private var request = AppleSignInRequest()
    let model: AuthViewModel

    var body: some View {
        SignInWithAppleButton(.signIn) { authorization in
            request = AppleSignInRequest()
            request.prepare(authorization)
        } onCompletion: { result in
            model.signInWithApple(result, for: request)
        }
        .signInWithAppleButtonStyle(colorScheme == .dark ? .white : .black)
        // The button keeps the style that it was created with.
        .id(colorScheme)
        .frame(maxWidth: .infinity)
        .frame(height: height)
        .clipShape(RoundedRectangle(cornerRadius: theme.cornerRadius))
        .disabled(model.isEntering)
        .accessibilityIdentifier("sign-in-apple")
        .clearRow()
    }
}
#endif
