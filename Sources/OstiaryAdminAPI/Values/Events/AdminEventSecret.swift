public import Foundation
public import OstiaryCore

/// The new secret of an event endpoint.
public struct AdminEventSecret: AdminValue {
    /// The secret that signs the events, in the form `whsec_…`.
    public var secret: Secret<String> = Secret("")
    /// The time until which events are signed with the previous secret too.
    public var previousExpiresAt: Date?

    /// The name of the value's schema.
    public static let schemaName = "EventSecret"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminEventSecret>] = [
        .required("secret", \.secret, .secret),
        .nullable("previous_expires_at", \.previousExpiresAt, .time),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
