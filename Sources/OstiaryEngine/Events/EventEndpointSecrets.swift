public import Foundation
import OstiaryCore

/// The sealed secrets of an endpoint: the current one, and during a rotation the one before.
public struct EventEndpointSecrets: Hashable, Sendable {
    /// The sealed current secret.
    public var current: [UInt8]
    /// The sealed secret before the last rotation.
    public var previous: [UInt8]?
    /// The time until which requests are signed with the previous secret too.
    public var previousExpiresAt: Date?

    /// The time for which a rotated secret still signs, in seconds.
    public static let rotationSeconds: TimeInterval = 86_400

    /// Creates the secrets from their parts.
    public init(current: [UInt8], previous: [UInt8]? = nil, previousExpiresAt: Date? = nil) {
        self.current = current
        self.previous = previous
        self.previousExpiresAt = previousExpiresAt
    }

    /// Returns the keys that sign at `now`, the current one first.
    ///
    /// - Throws: If a secret was sealed with another key.
    public func signingKeys(of endpoint: EventEndpointID, at now: Date, with keys: KeyRing) throws -> [WebhookSecret] {
        var sealed = [current]
        if let previous, let end = previousExpiresAt, now < end { sealed.append(previous) }
        return try sealed.map { try WebhookSecret(opening: $0, of: endpoint, with: keys) }
    }
}
