import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The cookie that identifies a browser: a random value without meaning of its own.
///
/// Source: RFC 6265bis §4.1.3.2 (`__Host-`: no other host, not even a sibling, can have set it).
enum BrowserCookie {
    /// 90 days, in seconds: as long as a sign-in at the built-in provider may be remembered.
    static let lifetimeSeconds = 7_776_000

    static func name(in frame: Branding) -> String { frame.isSecure ? "__Host-ostiary-browser" : "ostiary-browser" }

    /// Returns the value that a request carries; nil if there is none, more than one, or one that this server cannot
    /// have made.
    static func value(in request: WireRequest, frame: Branding) -> Secret<String>? {
        guard let value = request.cookie(name(in: frame)), isWellFormed(value) else { return nil }
        return Secret(String(value))
    }

    /// Returns a value for a browser that has none.
    static func fresh(_ system: SystemDependencies) -> Secret<String> {
        Secret(Base64URL.encode(system.randomBytes(32)))
    }

    /// Returns the `set-cookie` value that gives a browser its value.
    static func setting(_ value: Secret<String>, frame: Branding) -> String {
        "\(name(in: frame))=\(value.reveal()); Path=/; Max-Age=\(lifetimeSeconds); HttpOnly; SameSite=Lax"
            + (frame.isSecure ? "; Secure" : "")
    }

    /// Returns `true` for the base64url of 32 bytes.
    private static func isWellFormed(_ value: Substring) -> Bool {
        value.utf8.count == 43 && Base64URL.decode(value.utf8)?.count == 32
    }
}
