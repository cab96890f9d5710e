public import OstiaryContracts

/// A change of an account, as a merge patch.
public struct AdminAccountPatch: AdminValue {
    /// The email address.
    public var email: AdminChange<String> = .keep
    /// The username.
    public var username: AdminChange<String> = .keep
    /// The phone number, by E.164.
    public var phoneNumber: AdminChange<String> = .keep
    /// The display name.
    public var fullName: AdminChange<String> = .keep
    /// The changed additional fields; null removes one.
    public var attributes: [String: JSON]?
    /// `true` for an email address that is known to be the owner's.
    public var isEmailVerified: Bool?
    /// `true` for a phone number that is known to be the owner's.
    public var isPhoneNumberVerified: Bool?
    /// `false` disables the account.
    public var isActive: Bool?

    /// The name of the value's schema.
    public static let schemaName = "AccountPatch"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminAccountPatch>] = [
        .patch("email", \.email, .text(1, format: "email")),
        .patch("username", \.username, .text(1)),
        .patch("phone_number", \.phoneNumber, .text(1)),
        .patch("full_name", \.fullName, .text(1)),
        .replaceable("attributes", \.attributes, .values),
        .replaceable("email_verified", \.isEmailVerified, .flag),
        .replaceable("phone_number_verified", \.isPhoneNumberVerified, .flag),
        .replaceable("active", \.isActive, .flag),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        email: AdminChange<String> = .keep, username: AdminChange<String> = .keep,
        phoneNumber: AdminChange<String> = .keep, fullName: AdminChange<String> = .keep,
        attributes: [String: JSON]? = nil, isEmailVerified: Bool? = nil, isPhoneNumberVerified: Bool? = nil,
        isActive: Bool? = nil
    ) {
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.fullName = fullName
        self.attributes = attributes
        self.isEmailVerified = isEmailVerified
        self.isPhoneNumberVerified = isPhoneNumberVerified
        self.isActive = isActive
    }
}
