import Foundation
public import OstiaryCore

/// One account as a line of JSON: the input of an import and the output of an export.
public struct AccountRecord: Codable, Hashable, Sendable {
    /// The account's id; `nil` to have one generated.
    public var id: String?
    /// The username, in its original spelling.
    public var username: String?
    /// The email address.
    public var email: String?
    /// The phone number in E.164 form.
    public var phoneNumber: String?
    /// The owner's name.
    public var fullName: String?
    /// The password's hash, in `crypt(3)` form.
    public var passwordHash: String?
    /// The roles; `nil` for none.
    public var roles: [String]?
    /// `false` for a disabled account; `nil` for an active one.
    public var active: Bool?
    /// `local`, the default, or the kind of identity provider the account comes from.
    public var authProvider: String?
    /// The provider's identifier of the person; only for accounts that are not local.
    public var providerSubject: String?
    /// The attributes that the app declares; `nil` for none.
    public var attributes: [String: AttributeValue]?
    /// The time of creation, as in RFC 3339; `nil` for the time of the import.
    public var createdAt: String?
    /// The second factors and recovery codes, sealed with a passphrase, see ``FactorSeal``.
    public var factors: String?
    /// The secret of an authenticator app in base32, from another system; only for an import.
    public var totpSecret: SecretText?

    /// A text of a record that printing the record does not reveal.
    public struct SecretText: Codable, Hashable, Sendable {
        /// The text.
        public let value: Secret<String>

        /// Creates it from the text.
        public init(_ value: Secret<String>) { self.value = value }

        /// Reads the text as a JSON string.
        public init(from decoder: any Decoder) throws {
            value = Secret(try decoder.singleValueContainer().decode(String.self))
        }

        /// Writes the text as a JSON string.
        public func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(value.reveal())
        }
    }

    /// Creates an empty record.
    public init() {}

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case id, username, email
        case phoneNumber = "phone_number"
        case fullName = "full_name"
        case passwordHash = "password_hash"
        case roles, active
        case authProvider = "auth_provider"
        case providerSubject = "provider_subject"
        case attributes
        case createdAt = "created_at"
        case factors
        case totpSecret = "totp_secret"
    }

    /// Parses one line.
    ///
    /// - Throws: ``AdministrationProblem`` for a line that is not such an object, or that has an unknown key.
    public init(line: [UInt8]) throws(AdministrationProblem) {
        do {
            let data = Data(line)
            self = try JSONDecoder().decode(AccountRecord.self, from: data)
            let known = Set(CodingKeys.allCases.map(\.rawValue))
            let keys = try JSONDecoder().decode([String: Ignored].self, from: data).keys
            if let unknown = keys.filter({ !known.contains($0) }).sorted().first {
                throw AdministrationProblem("unknown key \(unknown)")
            }
        } catch let problem as AdministrationProblem {
            throw problem
        } catch {
            throw AdministrationProblem("not a JSON object of the expected form")
        }
    }

    /// Returns the record as one line, without a line terminator.
    ///
    /// - Throws: If the record cannot be encoded.
    public func line() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }

    private struct Ignored: Decodable { init(from decoder: any Decoder) {} }
}

extension AccountRecord {
    /// Creates the record of an account.
    public init(_ account: Account) {
        id = account.id.text
        username = account.username?.verbatim
        email = account.email?.text
        phoneNumber = account.phoneNumber?.e164
        fullName = account.fullName?.text
        passwordHash = account.passwordHash
        roles = account.assignments.map(\.text)
        active = account.isActive
        authProvider = account.provider
        providerSubject = account.providerSubject
        createdAt = account.createdAt.formatted(.iso8601)
    }

    /// Returns the account to be created from this record.
    ///
    /// - Throws: ``AdministrationProblem`` that names the field and its problem.
    func account(in app: AppSettings, now: Date) throws(AdministrationProblem) -> NewAccount {
        var problems = FieldProblems()
        let account = account(in: app, now: now, &problems)
        try problems.require()
        return account
    }

    /// Returns the account with the fields that are acceptable.
    ///
    /// - Parameter problems: The problems of the others are added to it.
    func account(in app: AppSettings, now: Date, _ problems: inout FieldProblems) -> NewAccount {
        var account = NewAccount(app: app.name, idKind: app.rules.accountIDs, createdAt: now)
        account.id = problems.collect(
            try Self.parse("id", id) { (text) throws(FieldProblem) in try AccountID(text) })
        if let id = account.id, app.rules.accountIDs == .integer, !Self.isPositiveInteger(id.text) {
            problems.add(.invalid("id", "malformed", "id: must be an integer from 1"))
        }
        account.username = problems.collect(
            try Self.parse("username", username) { (text) throws(FieldProblem) in try Username(text) })
        account.email = problems.collect(
            try Self.parse("email", email) { (text) throws(FieldProblem) in try EmailAddress(text) })
        account.phoneNumber = problems.collect(
            try Self.parse("phone_number", phoneNumber) { (text) throws(FieldProblem) in try PhoneNumber(text) })
        account.fullName = problems.collect(
            try Self.parse("full_name", fullName) { (text) throws(FieldProblem) in try PersonName(text) })
        account.passwordHash = passwordHash.flatMap { $0.isEmpty ? nil : $0 }
        account.assignments = problems.collect(try RoleAssignment.read(roles ?? [])) ?? []
        if account.assignments.count > Administration.maximumAssignments { problems.add(Administration.tooManyRoles) }
        account.isActive = active ?? true
        account.provider = authProvider ?? "local"
        if !Self.isProvider(account.provider) {
            problems.add(
                .invalid(
                    "auth_provider", "malformed", "auth_provider: must have 1 to 64 lower-case letters, digits, - or _")
            )
        }
        if account.provider != "local", app.rules.identifier != .username { account.usernameUse = .label }
        account.providerSubject = providerSubject
        if let providerSubject, !ProviderSubject.isValid(providerSubject) {
            problems.add(
                .invalid(
                    "provider_subject", "malformed",
                    "provider_subject: must have 1 to 255 bytes without control characters"))
        }
        if account.provider == "local", app.rules.claims.subject == .username, username?.contains("|") == true {
            problems.add(
                .invalid(
                    "username", "malformed",
                    "username: a local account's has no |, which marks identity providers' subjects"))
        }
        if account.provider == "local", providerSubject != nil {
            problems.add(
                .invalid(
                    "provider_subject", "not_supported",
                    "provider_subject: a local account has none; auth_provider says whose it is"))
        }
        if let change = problems.collect(try app.attributes.validatedByAdministrator(attributes ?? [:])) {
            account.attributes = change.values
        }
        if let createdAt {
            if let date = RFC3339.date(createdAt) {
                account.createdAt = date
            } else {
                problems.add(
                    .invalid("created_at", "malformed", "created_at: must be a time like 2026-01-31T12:00:00Z"))
            }
        }
        // Of the texts: one that is not acceptable has its own problem.
        if username == nil, email == nil, phoneNumber == nil, providerSubject == nil {
            problems.add(.withoutIdentifier)
        }
        return account
    }

    private static func isPositiveInteger(_ text: String) -> Bool {
        Int(text).map { $0 > 0 && String($0) == text } ?? false
    }

    private static func isProvider(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "-_".utf8.contains($0)
            }
    }

    private static func parse<Value>(
        _ name: String, _ text: String?, as make: (String) throws(FieldProblem) -> Value
    ) throws(AdministrationProblem) -> Value? {
        guard let text else { return nil }
        do { return try make(text) } catch { throw .invalid(name, error.code, "\(name): \(error.code)") }
    }
}

extension AdministrationProblem {
    /// The refusal of an account without a way to sign in.
    static var withoutIdentifier: AdministrationProblem {
        AdministrationProblem(
            .invalid, code: "missing", "an email, username, phone_number or provider_subject is needed")
    }
}
