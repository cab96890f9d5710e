import OstiaryCore

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A digest of the values that an administrator edits. An edit that carries the tag of the values that it was made from is
/// refused if others are kept by now, so that it undoes no change that came between.
///
/// Source: RFC 9110 §8.8.3 and §13.1.1.
public struct EntityTag: Hashable, Sendable {
    // As bytes: a form's text is untrusted, and comparing it as a text takes quadratic time.
    private let bytes: [UInt8]

    /// The tag as it is in a form.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Creates the tag that a form carries. Any text is one; most match no values.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// Creates the tag of an account's names, identifiers with their verification, and attributes.
    public init(profileOf account: Account) {
        let profile: [String] = [
            Self.part(account.fullName?.text), Self.part(account.email?.text), "\(account.isEmailVerified)",
            Self.part(account.username?.verbatim), Self.part(account.phoneNumber?.e164),
            Self.part(account.isPhoneNumberVerified.map { "\($0)" }),
        ]
        let attributes = account.attributes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        self.init(of: profile + attributes.flatMap { [$0.key] + Self.parts(of: $0.value) })
    }

    /// Creates the tag of an account's role assignments.
    public init(rolesOf account: Account) { self.init(of: account.assignments.map(\.text)) }

    /// Creates the tag of a role's permissions.
    public init(permissionsOf role: RoleDefinition) { self.init(of: role.permissions.map(\.text)) }

    /// Creates the tag of what ``EventAdministration/update(_:_:)`` changes.
    public init(settingsOf endpoint: EventEndpoint) {
        let settings: [String] = [
            endpoint.url, Self.part(endpoint.description), Self.part(endpoint.contact?.text), endpoint.state.rawValue,
            "\(endpoint.types.count)",
        ]
        self.init(of: settings + endpoint.types.map(\.rawValue) + endpoint.include.map(\.rawValue))
    }

    /// Creates the tag of one text.
    public init(ofText text: String) { self.init(of: [text]) }

    private init(of parts: [String]) {
        self.init(Array(SHA256.hash(data: KeyRing.hashInput(of: parts))).base64URL)
    }

    /// Returns the part for a value that may be absent.
    private static func part(_ value: String?) -> String { value.map { "=\($0)" } ?? "" }

    private static func parts(of value: AttributeValue) -> [String] {
        switch value {
        case .string(let text): ["string", text]
        // One kind: a store may read a whole number back as the other.
        case .integer(let integer): ["number", "\(Double(integer))"]
        case .number(let number): ["number", "\(number)"]
        case .boolean(let flag): ["boolean", "\(flag)"]
        case .stringList(let texts): ["list", "\(texts.count)"] + texts
        }
    }

    /// Requires that the values are those that an edit was made from.
    ///
    /// - Parameter current: The tag of the values that are kept.
    /// - Throws: ``AdministrationProblem/editConflict``.
    func require(_ current: EntityTag) throws(AdministrationProblem) {
        guard self == current else { throw .editConflict }
    }
}

extension AdministrationProblem {
    /// The refusal of an edit of values that were changed after they were read, see ``EntityTag``.
    public static var editConflict: AdministrationProblem {
        .conflict("edit_conflict", "the values were changed after they were read: read them again")
    }

    /// `true` for ``editConflict``.
    public var isEditConflict: Bool { code == Self.editConflict.code }
}
