package import OstiaryEngine

/// What the hosted pages of an app have in common: how they look, and how their forms are protected.
package struct PageFrame: Sendable {
    /// What people are told they are at.
    package var name: String
    /// The app's colour, `#rrggbb`; nil for ours.
    package var color: String?
    /// What browsers call us, `https://auth.example.com`; nil for the name they asked for.
    package var origin: String?
    /// Makes and checks what a form proves.
    package var keys: KeyRing
    /// Whether browsers reach us over TLS, so that cookies can be `__Host-` and `Secure`.
    package var isSecure: Bool
    /// Whether pages may say that this is a development server.
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
}
