import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryProvider

/// A sign-in at the console from which the browser has not returned yet, sealed in a cookie of that browser.
///
/// `Lax`, since the provider may be at another site. It does not sign in: the code in the return's URL does.
struct PendingConsoleSignIn: Codable {
    var state: String
    var verifier: String
    var redirectURI: String
    /// The path and query of the page that the person wants to reach.
    var destination: String
    /// Milliseconds since 1970.
    var expiresAt: Int64

    static let lifetimeSeconds = AppSettings.usualBrowserSeconds
    private static let maximumDestinationBytes = 1024
    private static let maximumCookieBytes = 4096
    private static let context = "console-sign-in"

    static func name(in frame: Branding) -> String {
        frame.isSecure ? "__Host-ostiary-console-sign-in" : "ostiary-console-sign-in"
    }

    init(to destination: String, at redirectURI: String, _ system: SystemDependencies) {
        state = Base64URL.encode(system.randomBytes(32))
        verifier = Base64URL.encode(system.randomBytes(32))
        self.redirectURI = redirectURI
        self.destination =
            destination.utf8.count <= Self.maximumDestinationBytes ? destination : ConsolePath.overview.path
        expiresAt = system.now().addingTimeInterval(Double(Self.lifetimeSeconds)).milliseconds
    }

    /// Returns the sign-in that the cookie of a request holds; nil if there is none that this server sealed, or it has
    /// expired.
    init?(in request: WireRequest, frame: Branding, at now: Date) {
        guard let value = request.cookie(Self.name(in: frame)), value.utf8.count <= Self.maximumCookieBytes,
            let sealed = Base64URL.decode(value.utf8),
            let plain = try? frame.keys.open(sealed, for: .consoleSessions, context: Self.context),
            let pending = try? JSONDecoder().decode(Self.self, from: Data(plain)), now.milliseconds < pending.expiresAt
        else { return nil }
        self = pending
    }

    /// Returns the `set-cookie` value that keeps the sign-in in the browser.
    ///
    /// - Throws: The errors of sealing, which do not occur for values of this size.
    func setting(frame: Branding) throws -> Secret<String> {
        let sealed = try frame.keys.seal(
            Array(try JSONEncoder().encode(self)), for: .consoleSessions, context: Self.context)
        return Self.cookie(Base64URL.encode(sealed), maxAge: Self.lifetimeSeconds, frame)
    }

    static func clearing(frame: Branding) -> Secret<String> { cookie("", maxAge: 0, frame) }

    func isAnswered(by state: String) -> Bool { constantTimeEqual(Array(self.state.utf8), Array(state.utf8)) }

    func request(maximumAge: Int? = nil, isAnew: Bool = false) -> OpenIDProvider.ConsoleSignIn {
        OpenIDProvider.ConsoleSignIn(
            state: state, verifier: Secret(verifier), redirectURI: redirectURI, maximumAge: maximumAge, isAnew: isAnew)
    }

    private static func cookie(_ value: String, maxAge: Int, _ frame: Branding) -> Secret<String> {
        Secret(
            "\(name(in: frame))=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Lax"
                + (frame.isSecure ? "; Secure" : ""))
    }
}
