package import Foundation

/// The server's view of a request of `ostiary doctor`, as it answers it to the holder of the encryption key.
package struct ProbeAnswer: Codable, Hashable, Sendable {
    /// The address that the connection came from.
    package var peer: String
    /// `true` if that is one of `trusted_proxies`.
    package var isPeerTrusted: Bool
    /// The client's address, for rate limits and the audit log.
    package var client: String
    /// The entries of `X-Forwarded-For`, in their order.
    package var forwardedFor: [String]
    /// The `Host` header.
    package var host: String

    package init(peer: String, isPeerTrusted: Bool, client: String, forwardedFor: [String], host: String) {
        self.peer = peer
        self.isPeerTrusted = isPeerTrusted
        self.client = client
        self.forwardedFor = forwardedFor
        self.host = host
    }

    private enum CodingKeys: String, CodingKey {
        case peer, client, host
        case isPeerTrusted = "peer_trusted"
        case forwardedFor = "forwarded_for"
    }

    /// Reads the body of an answer; nil if the server did not recognize the request.
    package init?(_ body: Data) {
        guard let answer = try? JSONDecoder().decode(Self.self, from: body) else { return nil }
        self = answer
    }
}
