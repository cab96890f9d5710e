import OstiaryContracts
import OstiaryCore
package import OstiaryEngine

/// The common parts of an app's hosted pages: their branding, and the protection of their forms.
package struct Branding: Sendable {
    /// The name that pages show.
    package var name: String
    /// The app's colour, `#rrggbb`; nil for the default.
    package var color: String?
    /// The server's origin for browsers, `https://auth.example.com`, as they send it; nil for the request's own host.
    package var origin: String?
    /// The keys that make and check form tokens.
    package var keys: KeyRing
    /// `true` if browsers connect over TLS, so that cookies can be `__Host-` and `Secure`.
    package var isSecure: Bool
    /// `true` if pages may state that this is a development server.
    package var isDevelopment: Bool

    package init(
        name: String, color: String? = nil, origin: String? = nil, keys: KeyRing, isSecure: Bool, isDevelopment: Bool
    ) {
        self.name = name
        self.color = color
        self.origin = origin
        self.keys = keys
        self.isSecure = isSecure
        self.isDevelopment = isDevelopment
    }

    /// Returns the origin at which a browser has opened a page.
    ///
    /// The client chooses the Host header: it counts only where no origin is configured, or where it has chosen
    /// the app among its hosts.
    func origin(of request: WireRequest) -> String {
        let authority = request.headers["host"] ?? ""
        return origin ?? NormalizedURL("\(isSecure ? "https" : "http")://\(authority)")?.origin ?? ""
    }
}
