public import OstiaryCore

/// An account that an administrator creates, with texts as they were entered.
public struct AccountCreation: Hashable, Sendable {
    /// The email address.
    public var email: String?
    /// The username.
    public var username: String?
    /// The phone number in E.164 form.
    public var phoneNumber: String?
    /// The owner's name.
    public var fullName: String?
    /// `true` if the address is known to be the owner's.
    public var isEmailVerified = false
    /// `true` or `false` if it is known whose the number is, see ``Account/isPhoneNumberVerified``.
    public var isPhoneNumberVerified: Bool?
    /// `false` to create a disabled account.
    public var isActive = true
    /// The password; nil for an account with a hash, and for one whose owner sets the first password.
    public var password: Secret<String>?
    /// The password's hash in `crypt(3)` form, from another system.
    public var passwordHash: Secret<String>?
    /// The values of attributes by name, not checked.
    public var attributes: [String: AttributeValue] = [:]
    /// `true` to send the owner a mail with a link that sets the first password.
    public var invites = false

    /// Creates an account without anything.
    public init() {}

    /// The account as a record of an import has it.
    var record: AccountRecord {
        var record = AccountRecord()
        (record.email, record.username, record.phoneNumber) = (email, username, phoneNumber)
        (record.fullName, record.active, record.passwordHash) = (fullName, isActive, passwordHash?.reveal())
        record.attributes = attributes
        return record
    }
}

/// An administrator's change of an account, with texts as they were entered.
public struct AccountUpdate: Hashable, Sendable {
    /// The email address. Another address is unverified unless ``isEmailVerified`` is set.
    public var email: PatchValue<String> = .unchanged
    /// The username.
    public var username: PatchValue<String> = .unchanged
    /// The phone number. Another number is unverified unless ``isPhoneNumberVerified`` is set.
    public var phoneNumber: PatchValue<String> = .unchanged
    /// The owner's name.
    public var fullName: PatchValue<String> = .unchanged
    /// The new value of ``Account/isEmailVerified``; nil to leave it.
    public var isEmailVerified: Bool?
    /// The new value of ``Account/isPhoneNumberVerified``; nil to leave it.
    public var isPhoneNumberVerified: Bool?
    /// The new state; nil to leave it.
    public var isActive: Bool?
    /// New values of attributes by name, not checked; nil to remove one.
    public var attributes: [String: AttributeValue?] = [:]
    /// New values of attributes by name, as ``OstiaryCore/AttributeDefinitions/values(of:)`` reads them.
    public var attributeTexts: [String: String] = [:]
    /// The tag of the profile that the update was made from; nil for an update of whatever it is.
    public var expected: EntityTag?

    /// Creates an update that leaves everything as it is.
    public init() {}
}
