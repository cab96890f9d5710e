/// The URLs and addresses that requests to other systems are sent to.
///
/// A URL's host is checked twice: its text when an administrator enters it, and the address that it resolves to before every
/// connection, see ``allows(_:)``. The first check gives an early answer; only the second one protects the network of the
/// server, because the owner of a name decides what it resolves to.
public struct EventURLPolicy: Hashable, Sendable {
    /// `true` if `http` URLs of this machine are allowed: in development.
    public var allowsPlainLoopback: Bool
    /// `true` if private, loopback and link-local addresses are allowed: `events: {allow_private: true}`.
    public var allowsPrivate: Bool

    /// Creates a policy; by default the strict one.
    public init(allowsPlainLoopback: Bool = false, allowsPrivate: Bool = false) {
        self.allowsPlainLoopback = allowsPlainLoopback
        self.allowsPrivate = allowsPrivate
    }

    /// The reason for which a URL is refused.
    public enum Problem: String, Error, Hashable, Sendable {
        /// The text is no URL that requests can be sent to.
        case malformed
        /// The URL is not an https URL.
        case insecure = "https_required"
        /// The host is an address that is not allowed.
        case address = "address_refused"
    }

    /// The maximum length of a URL, in bytes.
    public static let maximumBytes = 2048

    /// Checks the text of a URL. Resolves no name.
    public func check(_ url: String) throws(Problem) {
        guard let parts = WebhookURL(url) else { throw .malformed }
        let isLoopback = IPAddress.isLoopback(host: parts.host)
        guard parts.isSecure || (allowsPlainLoopback && isLoopback) else { throw .insecure }
        if isLoopback || IPAddress(parts.host) != nil {
            guard allows(IPAddress(parts.host) ?? .loopback) else { throw .address }
        }
    }

    /// Returns `true` if requests may be sent to the address. Must be asked about the address that is connected to, not about
    /// one of an earlier lookup (DNS rebinding).
    public func allows(_ address: IPAddress) -> Bool {
        if address.isLoopback { return allowsPrivate || allowsPlainLoopback }
        if allowsPrivate { return !address.isMulticast && address != .unspecified }
        return address.isGloballyReachable
    }
}
