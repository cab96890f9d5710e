public import Foundation
public import OstiaryContracts

/// An account of an app, as an administrator sees it.
public struct AdminAccount: AdminValue {
    /// The identifier, unique within the app.
    public var id: String = ""
    /// The name of the app.
    public var app: String = ""
    /// The email address.
    public var email: String?
    /// `true` if the owner has proved the email address.
    public var isEmailVerified: Bool = false
    /// The username.
    public var username: String?
    /// The phone number in E.164 form.
    public var phoneNumber: String?
    /// `true` if the owner has proved the phone number.
    public var isPhoneNumberVerified: Bool = false
    /// The display name.
    public var fullName: String?
    /// `false` for a disabled account.
    public var isActive: Bool = true
    /// `true` if the account can sign in with a password.
    public var hasPassword: Bool = false
    /// The additional fields that the app declares.
    public var attributes: [String: JSON] = [:]
    /// The roles, with their scopes.
    public var roles: [AdminRoleAssignment] = []
    /// The kinds of identity providers that the account is linked to.
    public var providers: [String] = []
    /// The kinds of the account's second factors.
    public var factors: [String] = []
    /// The time of creation.
    public var createdAt: Date = Date(timeIntervalSince1970: 0)
    /// The time of the last change of the account.
    public var updatedAt: Date = Date(timeIntervalSince1970: 0)
    /// The time of the last sign-in.
    public var lastSignInAt: Date?

    /// The name of the value's schema.
    public static let schemaName = "Account"
    /// The members of the JSON object.
    public static let members: [AdminMember<AdminAccount>] = [
        .required("id", \.id, .id),
        .required("app", \.app, .app),
        .nullable("email", \.email, .text()),
        .required("email_verified", \.isEmailVerified, .flag),
        .nullable("username", \.username, .text()),
        .nullable("phone_number", \.phoneNumber, .text()),
        .required("phone_number_verified", \.isPhoneNumberVerified, .flag),
        .nullable("full_name", \.fullName, .text()),
        .required("active", \.isActive, .flag),
        .required("has_password", \.hasPassword, .flag),
        .required("attributes", \.attributes, .values),
        .required("roles", \.roles, .list(.object)),
        .required("providers", \.providers, .list(.text())),
        .required("factors", \.factors, .list(.text())),
        .required("created_at", \.createdAt, .time),
        .required("updated_at", \.updatedAt, .time),
        .nullable("last_sign_in_at", \.lastSignInAt, .time),
    ]
    /// Creates a value without content, whose properties are set afterwards.
    public init() {}
}
