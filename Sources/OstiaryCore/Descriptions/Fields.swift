import Foundation

/// The content of a message by canonical field name: the intermediate form between a typed operation and a contract's
/// wire format.
public struct Fields: Hashable, Sendable {
    private var values: [Field: Value] = [:]
    /// The account attributes, beside the fields of the contract; by the names of their definitions.
    package var attributes: [String: AttributeValue] = [:]

    /// A value of one of the JSON types that fields have.
    public enum Value: Hashable, Sendable {
        /// A string.
        case text(String)
        /// An integer.
        case integer(Int)
        /// A Boolean.
        case flag(Bool)
        /// An array of strings.
        case texts([String])
        /// An object with canonical fields.
        case object(Fields)
        /// An array of such objects.
        case list([Fields])
        /// An object whose member names are defined by the identity provider.
        case map([String: String])
        /// An object that another specification defines, as JSON text.
        case json(String)
    }

    /// Creates an empty set of fields.
    public init() {}

    /// The value of a field; nil if it is absent.
    public subscript(field: Field) -> Value? {
        get { values[field] }
        set { values[field] = newValue }
    }
}

extension Fields: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The text `<fields>`: the values include passwords and tokens.
    public var description: String { "<fields>" }
    /// The same text as ``description``.
    public var debugDescription: String { description }
    /// An empty mirror, so that `dump` prints no value.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension Fields {
    package mutating func set(_ field: Field, _ text: String?) { self[field] = text.map { .text($0) } }
    package mutating func set(_ field: Field, _ secret: Secret<String>?) { set(field, secret?.reveal()) }

    /// Returns the text of a field; nil if it is absent. NUL is rejected because PostgreSQL cannot store it.
    package func text(_ field: Field) throws(AuthError) -> String? {
        try text(field, atMost: field.maximumBytes ?? Field.usualMaximumBytes)
    }

    private func text(_ field: Field, atMost maximum: Int) throws(AuthError) -> String? {
        guard let text = try anyText(field) else { return nil }
        guard text.utf8.count <= maximum else { throw .invalid(field, .tooLong(maximum: maximum)) }
        guard !text.utf8.contains(0) else { throw .invalid(field, .malformed) }
        return text
    }

    /// Returns a secret of any length and content: the engine rejects it, in time that reveals nothing.
    package func secret(_ field: Field) throws(AuthError) -> Secret<String>? { try anyText(field).map { Secret($0) } }

    private func anyText(_ field: Field) throws(AuthError) -> String? {
        guard let value = self[field] else { return nil }
        guard case .text(let text) = value else { throw .invalid(field, .mistyped) }
        return text
    }

    /// The format of times on the wire: UTC, with a precision of one second. Source: RFC 3339.
    private static let timeStyle = Date.ISO8601FormatStyle()

    mutating func set(_ field: Field, _ time: Date?) { set(field, time?.formatted(Self.timeStyle)) }

    func time(_ field: Field) throws(AuthError) -> Date? {
        guard let text = try text(field) else { return nil }
        do { return try Self.timeStyle.parse(text) } catch { throw .invalid(field, .malformed) }
    }

    func texts(_ field: Field) throws(AuthError) -> [String]? {
        guard let value = self[field] else { return nil }
        guard case .texts(let texts) = value else { throw .invalid(field, .mistyped) }
        return texts
    }

    func flag(_ field: Field) throws(AuthError) -> Bool? {
        guard let value = self[field] else { return nil }
        guard case .flag(let flag) = value else { throw .invalid(field, .mistyped) }
        return flag
    }

    func integer(_ field: Field) throws(AuthError) -> Int? {
        guard let value = self[field] else { return nil }
        guard case .integer(let integer) = value else { throw .invalid(field, .mistyped) }
        return integer
    }

    func object(_ field: Field) throws(AuthError) -> Fields? {
        guard let value = self[field] else { return nil }
        guard case .object(let fields) = value else { throw .invalid(field, .mistyped) }
        return fields
    }

    /// Returns the JSON text of an object that another specification defines; nil if it is absent.
    func json(_ field: Field) throws(AuthError) -> String? {
        guard let value = self[field] else { return nil }
        guard case .json(let text) = value else { throw .invalid(field, .mistyped) }
        return text
    }

    /// Returns the field parsed to its own type, for example an email address; nil if it is absent.
    func parsed<Parsed>(
        _ field: Field, as make: (String) throws(FieldProblem) -> Parsed
    ) throws(AuthError) -> Parsed? {
        // Surrounding white space does not count towards the field's maximum length, which its type checks.
        guard let text = try text(field, atMost: Field.usualMaximumBytes) else { return nil }
        do { return try make(text) } catch { throw .invalid(field, error) }
    }
}

/// Returns the value.
///
/// - Throws: `AuthError.invalid` with the field if the value is nil.
func required<Value>(_ value: Value?, _ field: Field) throws(AuthError) -> Value {
    guard let value else { throw .invalid(field, .missing) }
    return value
}

extension Fields {
    /// Returns fields that contain only the access token.
    static func bearing(_ accessToken: Secret<String>) -> Fields {
        var fields = Fields()
        fields.set(.accessToken, accessToken)
        return fields
    }

    /// Returns the access token of the request.
    ///
    /// - Throws: `AuthError.invalidAccessToken` if there is none.
    func bearer() throws(AuthError) -> Secret<String> {
        guard let token = try secret(.accessToken) else { throw .invalidAccessToken }
        return token
    }

    mutating func set(_ identifier: Identifier) { set(identifier.field, identifier.text) }

    /// Returns the identifier of an account.
    ///
    /// - Throws: `AuthError.invalid` for a missing or malformed one.
    func identifier() throws(AuthError) -> Identifier {
        if let username = try username() { return .username(username) }
        if let number = try phoneNumber() { return .phoneNumber(number) }
        return .email(try required(email(), .email))
    }

    mutating func set(_ passkey: PasskeyResponse?) {
        set(.passkeyToken, passkey?.token)
        self[.credential] = (passkey?.credential).map { .json($0) }
    }

    /// Returns the response of a passkey in the place of a password; nil for a request with a password.
    ///
    /// - Throws: `AuthError.invalid` for a response without its token or with a password, and for neither.
    func passkey(orPassword password: Field) throws(AuthError) -> PasskeyResponse? {
        guard self[.passkeyToken] != nil || self[.credential] != nil else {
            guard self[password] != nil else { throw .invalid(password, .missing) }
            return nil
        }
        guard self[password] == nil else { throw .invalid(.credential, .notSupported) }
        return PasskeyResponse(
            token: try required(secret(.passkeyToken), .passkeyToken),
            credential: try required(json(.credential), .credential))
    }

    func email() throws(AuthError) -> EmailAddress? {
        try parsed(.email) { (text) throws(FieldProblem) in try EmailAddress(text) }
    }
    func username() throws(AuthError) -> Username? {
        try parsed(.username) { (text) throws(FieldProblem) in try Username(text) }
    }
    func phoneNumber() throws(AuthError) -> PhoneNumber? {
        try parsed(.phoneNumber) { (text) throws(FieldProblem) in try PhoneNumber(text) }
    }
    func fullName() throws(AuthError) -> PersonName? {
        try parsed(.fullName) { (text) throws(FieldProblem) in try PersonName(text) }
    }
    func factorName() throws(AuthError) -> FactorName? {
        try parsed(.name) { (text) throws(FieldProblem) in try FactorName(text) }
    }

    /// Returns the factor that the path names.
    ///
    /// - Throws: `AuthError.notFound` for a missing or malformed id, which belongs to no factor.
    func factorID() throws(AuthError) -> FactorID {
        guard case .text(let text) = self[.factorId], let id = try? FactorID(text) else { throw .notFound }
        return id
    }

    func code() throws(AuthError) -> OneTimeCode? {
        try parsed(.code) { (text) throws(FieldProblem) in try OneTimeCode(text) }
    }

    mutating func setSessionOptions(rememberMe: Bool?, device: DeviceInfo?) {
        self[.rememberMe] = rememberMe.map { .flag($0) }
        self[.deviceInfo] = device.map { .object($0.fields) }
    }

    func device() throws(AuthError) -> DeviceInfo? {
        guard let fields = try object(.deviceInfo) else { return nil }
        return try DeviceInfo(fields)
    }
}
