public import OstiaryContracts
public import OstiaryCore

/// The content of a new account. With neither a password nor a hash it has no password; ``sendsInvitation`` sends a link to choose one.
public struct AdminAccountCreation: AdminValue {
    /// The email address.
    public var email: String?
    /// The username.
    public var username: String?
    /// The phone number, by E.164.
    public var phoneNumber: String?
    /// The display name.
    public var fullName: String?
    /// The additional fields that the app declares.
    public var attributes: [String: JSON]?
    /// `true` for an email address that is known to be the owner's.
    public var isEmailVerified: Bool?
    /// `true` for a phone number that is known to be the owner's.
    public var isPhoneNumberVerified: Bool?
    /// The password.
    public var password: Secret<String>?
    /// The hash of the password, in `crypt(3)` form.
    public var passwordHash: Secret<String>?
    /// `true` to send a message with a link to choose a password.
    public var sendsInvitation: Bool?

    /// The name of the value's schema.
    public static let schemaName = "AccountCreation"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminAccountCreation>] = [
        .optional("email", \.email, .text(1, format: "email")),
        .optional("username", \.username, .text(1)),
        .optional("phone_number", \.phoneNumber, .text(1)),
        .optional("full_name", \.fullName, .text(1)),
        .optional("attributes", \.attributes, .values),
        .optional("email_verified", \.isEmailVerified, .flag),
        .optional("phone_number_verified", \.isPhoneNumberVerified, .flag),
        .optional("password", \.password, .secret),
        .optional("password_hash", \.passwordHash, .secret),
        .optional("invite", \.sendsInvitation, .flag),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}

    /// Creates a value from its parts.
    public init(
        email: String? = nil, username: String? = nil, phoneNumber: String? = nil, fullName: String? = nil,
        attributes: [String: JSON]? = nil, isEmailVerified: Bool? = nil, isPhoneNumberVerified: Bool? = nil,
        password: Secret<String>? = nil, passwordHash: Secret<String>? = nil, sendsInvitation: Bool? = nil
    ) {
        self.email = email
        self.username = username
        self.phoneNumber = phoneNumber
        self.fullName = fullName
        self.attributes = attributes
        self.isEmailVerified = isEmailVerified
        self.isPhoneNumberVerified = isPhoneNumberVerified
        self.password = password
        self.passwordHash = passwordHash
        self.sendsInvitation = sendsInvitation
    }
}
