import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The cookie that keeps a browser signed in at the provider: an access token of the provider's own app, sealed, so
/// that the browser cannot read its contents.
///
/// Source: RFC 6265bis §4.1.3.2 (`__Host-`: no other host, not even a sibling, can have set it).
enum SessionCookie {
    static func name(in frame: Branding) -> String { frame.isSecure ? "__Host-ostiary-idp" : "ostiary-idp" }

    /// Returns the value that a request carries; nil if there is none, or more than one.
    static func value(in request: WireRequest, frame: Branding) -> Secret<String>? {
        guard let value = request.cookie(name(in: frame)), !value.isEmpty else { return nil }
        return Secret(String(value))
    }

    /// Returns the `set-cookie` value that signs a browser in for its session's lifetime.
    static func setting(_ tokens: Tokens, frame: Branding) -> String {
        let seconds = tokens.expiresIn?.components.seconds ?? 0
        return "\(name(in: frame))=\(tokens.accessToken.reveal())\(attributes(maxAge: seconds, frame))"
    }

    static func clearing(frame: Branding) -> String { "\(name(in: frame))=\(attributes(maxAge: 0, frame))" }

    /// `Lax`, not `Strict`: a browser that a client's page redirects here must send it.
    private static func attributes(maxAge: Int64, _ frame: Branding) -> String {
        "; Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Lax" + (frame.isSecure ? "; Secure" : "")
    }
}
