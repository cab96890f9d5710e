#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
import CryptoKit
import OstiaryCore

/// A random text that binds an identity token to the sign-in it was requested for.
///
/// Its hash is sent to Apple, which puts it into the token; the text itself is sent to the app's server. So an attacker
/// who obtains only the token cannot use it. Source: OpenID Connect Core 1.0 §15.5.2.
struct SignInNonce: Sendable {
    let raw: Secret<String>

    init(raw: Secret<String> = CodeVerifier().text) { self.raw = raw }

    /// The SHA-256 in lowercase hexadecimal digits, the form that servers for Sign in with Apple expect.
    var hashed: String {
        SHA256.hash(data: Array(raw.reveal().utf8))
            .map { $0 < 16 ? "0" + String($0, radix: 16) : String($0, radix: 16) }.joined()
    }
}
#endif
