public import Foundation
import OstiaryCore

/// A search for accounts. All conditions must hold.
public struct AccountQuery: Hashable, Sendable {
    /// The beginning of an email, username, phone number, full name or id; nil or empty for all accounts. Never logged.
    ///
    /// Literal: no character is a wildcard. Letters of ASCII match in either case. Other letters match as they are, in lower
    /// case, in upper case, and at the beginning of words in upper case.
    public var text: String?
    /// A role that the account has in every scope.
    public var role: String?
    /// The state of the account.
    public var isActive: Bool?
    /// The kind of the identity provider that the account comes from; `local` for accounts without one.
    public var provider: String?
    /// The kind of a second factor that the account has.
    public var factor: Factor.Kind?
    /// The time after which the account was created.
    public var createdAfter: Date?
    /// The cursor of the page before; nil for the first page.
    public var cursor: String?
    /// The maximum number of accounts of the page.
    public var limit: Int

    /// The number of accounts of a page unless another is requested.
    public static let usualLimit = 50
    /// The greatest number of accounts of a page.
    public static let maximumLimit = 200
    /// The maximum length of ``text``, in UTF-8 bytes.
    public static let maximumTextBytes = 254
    /// The number of accounts that the store reads for one page at most.
    public static let maximumScanned = 1000

    /// Creates a query.
    public init(
        text: String? = nil, role: String? = nil, isActive: Bool? = nil, provider: String? = nil,
        factor: Factor.Kind? = nil, createdAfter: Date? = nil, cursor: String? = nil, limit: Int = Self.usualLimit
    ) {
        self.text = text
        self.role = role
        self.isActive = isActive
        self.provider = provider
        self.factor = factor
        self.createdAfter = createdAfter?.asStored
        self.cursor = cursor
        self.limit = limit
    }
}

/// A page of accounts.
public struct AccountPage: Hashable, Sendable {
    /// The accounts.
    public var items: [AccountDetails]
    /// The cursor of the next page; nil after the last. Opaque: it holds for the same query of the same app.
    ///
    /// A page may have fewer items than the limit, or none, and a next page: the work for a page is bounded.
    public var nextCursor: String?

    /// Creates a page from its parts.
    public init(items: [AccountDetails], nextCursor: String?) {
        self.items = items
        self.nextCursor = nextCursor
    }
}

extension AccountQuery: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The conditions without the searched text, so that no log contains it.
    public var description: String {
        "accounts(text: \(text == nil ? "none" : "***"), role: \(role ?? "any"), provider: \(provider ?? "any"))"
    }
    /// The ``description``.
    public var debugDescription: String { description }
    /// An empty mirror, so that `dump` prints no searched text.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension AccountQuery {
    /// Returns the lists that the matching accounts are in: read one after the other, all conditions are checked on each
    /// account. The first condition by which an index finds few accounts decides.
    ///
    /// - Throws: ``AdministrationProblem`` for a condition that is malformed.
    func sources() throws(AdministrationProblem) -> [AccountSource] {
        guard (1...Self.maximumLimit).contains(limit) else {
            throw .invalid("limit", "malformed", "limit: must be 1 to \(Self.maximumLimit)")
        }
        if let role, !RoleAssignment.isRole(role) { throw .invalid("role", "malformed", "role: malformed") }
        if let provider {
            guard (1...64).contains(provider.utf8.count), provider.unicodeScalars.allSatisfy(\.isPrintable) else {
                throw .invalid("provider", "malformed", "provider: malformed")
            }
        }
        if let text, !text.isEmpty { return try Self.sources(ofText: text) }
        if let role { return [.role(role)] }
        if let factor { return [.factor(factor)] }
        if isActive == false { return [.disabled] }
        if let provider { return [.provider(provider, createdAfter: createdAfter)] }
        if let createdAfter { return [.createdAfter(createdAfter)] }
        return [.all]
    }

    private static func sources(ofText text: String) throws(AdministrationProblem) -> [AccountSource] {
        // Before anything that takes more than linear time.
        guard text.utf8.count <= maximumTextBytes else {
            throw .invalid("q", "too_long", "q: has more than \(maximumTextBytes) bytes")
        }
        let composed = text.precomposedStringWithCanonicalMapping
        guard composed.unicodeScalars.allSatisfy({ $0.isPrintable || $0 == "\u{200C}" || $0 == "\u{200D}" }) else {
            throw .invalid("q", "malformed", "q: has control characters")
        }
        var sources: [AccountSource] = []
        if (try? AccountID(composed)) != nil { sources.append(.text(.id, prefix: composed)) }
        if composed.utf8.first == UInt8(ascii: "+") { sources.append(.text(.phoneNumber, prefix: composed)) }
        for text in [AccountSource.Text.email, .username, .fullName] {
            sources += spellings(of: composed).map { .text(text, prefix: $0) }
        }
        return sources
    }

    /// Returns the spellings of a text whose letters beyond ASCII differ in case. Indexes have those letters as they are, because
    /// the databases' own mapping depends on their version and locale.
    private static func spellings(of text: String) -> [String] {
        let plain = text.asciiLowercased
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return [plain] }
        var spellings: [String] = []
        for spelling in [text, text.lowercased(), text.uppercased(), capitalizingWords(of: text)] {
            let key = spelling.precomposedStringWithCanonicalMapping.asciiLowercased
            if !spellings.contains(where: { $0.utf8.elementsEqual(key.utf8) }) { spellings.append(key) }
        }
        return spellings
    }

    private static func capitalizingWords(of text: String) -> String {
        var result = String.UnicodeScalarView()
        var beginsWord = true
        for scalar in text.unicodeScalars {
            let mapped = beginsWord ? scalar.properties.titlecaseMapping : scalar.properties.lowercaseMapping
            result.append(contentsOf: mapped.unicodeScalars)
            beginsWord = scalar == " " || scalar == "-" || scalar == "'"
        }
        return String(result)
    }

    /// Returns `true` if all conditions but the text hold.
    func matches(_ details: AccountDetails) -> Bool {
        let account = details.account
        return (role.map { AccountSource.role($0).contains(details) } ?? true)
            && (isActive.map { $0 == account.isActive } ?? true)
            && (provider.map { AccountSource.provider($0, createdAfter: nil).contains(details) } ?? true)
            && (factor.map { details.factorKinds.contains($0) } ?? true)
            && (createdAfter.map { account.createdAt > $0 } ?? true)
    }

    /// The conditions as one text, to which a cursor is bound.
    var fingerprint: [String] {
        [
            text ?? "", role ?? "", isActive.map { "\($0)" } ?? "", provider ?? "", factor?.rawValue ?? "",
            createdAfter.map { "\($0.milliseconds)" } ?? "",
        ]
    }
}
