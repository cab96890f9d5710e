public import Foundation

/// A key that signs an app's access tokens.
public struct AdminSigningKey: AdminValue {
    /// The identifier of the key. Source: RFC 7517 §4.5.
    public var keyID: String = ""
    /// The algorithm, such as `ES256`.
    public var algorithm: String = ""
    /// The state: `current` for the key that signs now, `next` for one that is published and signs later, `accepted` for one
    /// that was replaced.
    public var state: String = ""
    /// The time from which the key signs.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time until which tokens of a key with a successor are accepted.
    public var acceptedUntil: Date?

    /// The name of the value's schema.
    public static let schemaName = "SigningKey"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminSigningKey>] = [
        .required("kid", \.keyID, .text()),
        .required("algorithm", \.algorithm, .text()),
        .required("state", \.state, .text()),
        .required("created_at", \.createdAt, .time),
        .nullable("accepted_until", \.acceptedUntil, .time),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
