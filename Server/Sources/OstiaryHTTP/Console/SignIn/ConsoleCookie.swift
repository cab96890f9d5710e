import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// The cookie of a console session: the sealed token of ``ConsoleSession``.
///
/// `Strict`: no request that another site causes carries it. Source: RFC 6265bis §4.1.3.2, §5.6.7.
enum ConsoleCookie {
    static func name(in frame: Branding) -> String { frame.isSecure ? "__Host-ostiary-console" : "ostiary-console" }

    /// Returns the value that a request carries; nil if there is none, or more than one.
    static func value(in request: WireRequest, frame: Branding) -> Secret<String>? {
        guard let value = request.cookie(name(in: frame)), !value.isEmpty else { return nil }
        return Secret(String(value))
    }

    static func setting(_ token: Secret<String>, frame: Branding) -> Secret<String> {
        cookie(token.reveal(), maxAge: ProviderDirectory.consoleIdleSeconds, frame)
    }

    static func clearing(frame: Branding) -> Secret<String> { cookie("", maxAge: 0, frame) }

    private static func cookie(_ value: String, maxAge: Int, _ frame: Branding) -> Secret<String> {
        Secret(
            "\(name(in: frame))=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Strict"
                + (frame.isSecure ? "; Secure" : ""))
    }
}
