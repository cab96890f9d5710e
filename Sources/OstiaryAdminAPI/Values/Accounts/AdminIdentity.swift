public import Foundation

/// An identity at a provider that an account is linked to.
public struct AdminIdentity: AdminValue {
    /// The identifier.
    public var id: String = ""
    /// The kind of the provider.
    public var provider: String = ""
    /// The issuer of its tokens.
    public var issuer: String?
    /// The identifier that the provider gives the person.
    public var subject: String?
    /// The email address that the provider stated.
    public var email: String?
    /// The time at which the identity was linked.
    public var linkedAt: Date?

    /// The name of the value's schema.
    public static let schemaName = "Identity"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminIdentity>] = [
        .required("id", \.id, .text()),
        .required("provider", \.provider, .text()),
        .nullable("issuer", \.issuer, .text()),
        .nullable("subject", \.subject, .text()),
        .nullable("email", \.email, .text()),
        .nullable("linked_at", \.linkedAt, .time),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
