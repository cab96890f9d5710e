/// The reason why a request to the admin API is not authenticated.
public enum ServiceKeyRefusal: Error, Hashable, Sendable {
    /// The request has no key.
    case missing
    /// There is no such key, or its secret is another one.
    case unknown
    /// The key was revoked.
    case revoked
    /// The key has expired.
    case expired
    /// The key is not accepted from the request's network.
    case networkNotAllowed
    /// Too many requests with wrong keys came from the network.
    case tooMany(retryAfterSeconds: Int)

    /// The stable code.
    public var code: String {
        switch self {
        case .missing: "service_key_missing"
        case .unknown: "service_key_unknown"
        case .revoked: "service_key_revoked"
        case .expired: "service_key_expired"
        case .networkNotAllowed: "network_not_allowed"
        case .tooMany: "too_many_requests"
        }
    }
}
