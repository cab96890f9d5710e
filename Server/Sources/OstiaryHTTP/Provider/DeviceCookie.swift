import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The cookie by which an account recognizes a browser: a secret that the engine replaces at each use. It stays when the
/// person signs out.
///
/// Source: RFC 6265bis §4.1.3.2 (`__Host-`: no other host, not even a sibling, can have set it).
enum DeviceCookie {
    static func name(in frame: Branding) -> String { frame.isSecure ? "__Host-ostiary-device" : "ostiary-device" }

    /// Returns the value that a request carries; nil if there is none, more than one, or one that this server cannot have
    /// made.
    static func value(in request: WireRequest, frame: Branding) -> Secret<String>? {
        guard let value = request.cookie(name(in: frame)), value.utf8.count == 43,
            Base64URL.decode(value.utf8)?.count == 32
        else { return nil }
        return Secret(String(value))
    }

    /// Returns the `set-cookie` value that a browser keeps for as long as the account recognizes it.
    static func setting(_ value: Secret<String>, frame: Branding) -> String {
        let seconds = Int(RecognizedDevice.retentionSeconds)
        return "\(name(in: frame))=\(value.reveal()); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
            + (frame.isSecure ? "; Secure" : "")
    }
}
