public import Foundation

/// An origin of an account's sign-ins that later ones are compared with: a country, an autonomous system or the last place.
public struct AdminSignInOrigin: AdminValue {
    /// The country. Source: ISO 3166-1 alpha-2.
    public var country: String?
    /// The number of the autonomous system.
    public var systemNumber: Int?
    /// The place, to about ten kilometres. Source: RFC 5870.
    public var place: String?
    /// The time of the last sign-in from it.
    public var lastAt: Date = Date(timeIntervalSince1970: 0)

    /// The name of the value's schema.
    public static let schemaName = "SignInOrigin"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminSignInOrigin>] = [
        .nullable("country", \.country, .text()),
        .nullable("asn", \.systemNumber, .integer()),
        .nullable("place", \.place, .text()),
        .required("last_at", \.lastAt, .time),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
