import Foundation
public import OstiaryCore

/// The rules of account attributes. They exist once: the wire, administration and imports all call them.
extension AttributeDefinitions {
    /// Checks values that are to be written, and returns the change with each value in its canonical form.
    ///
    /// - Parameters:
    ///   - values: The values by declared name; nil removes an attribute, which only administrators may.
    ///   - writer: The owner of the account, or an administrator. Undeclared names of the owner are ignored, as every unknown
    ///     member of a request is.
    /// - Throws: `AuthError.invalidAttribute` for the first name, in alphabetical order, that is not declared, that the writer
    ///   may not set, or whose value is not acceptable.
    public func validated(
        _ values: [String: AttributeValue?], by writer: AttributeAccess
    ) throws(AuthError) -> AttributeChange {
        var change = AttributeChange()
        for (name, value) in values.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard let definition = self[name] else {
                if writer == .owner { continue }
                throw .invalidAttribute(Self.shown(name), .unknown)
            }
            guard writer == .admin || definition.access == .owner && value != nil else {
                throw .invalidAttribute(name, .readOnly)
            }
            guard let value else {
                change.removed.insert(name)
                continue
            }
            guard value.isKeepable else { throw .invalidAttribute(name, .malformed) }
            do { change.values[name] = try definition.canonical(value) } catch { throw .invalidAttribute(name, error) }
        }
        try change.check(atMost: Self.maximumBytes)
        return change
    }

    /// Returns the declared attributes whose value fits their declaration. Others are kept and not shown, so that a
    /// declaration can be changed back.
    public func fitting(_ kept: [String: AttributeValue]) -> [String: AttributeValue] { values(of: all, in: kept) }

    /// Returns the attributes that an app's answers show: the visible ones of ``fitting(_:)``.
    public func visible(in kept: [String: AttributeValue]) -> [String: AttributeValue] {
        values(of: visible, in: kept)
    }

    private func values(
        of definitions: [AttributeDefinition], in kept: [String: AttributeValue]
    ) -> [String: AttributeValue] {
        guard !kept.isEmpty else { return [:] }
        var values: [String: AttributeValue] = [:]
        for definition in definitions {
            guard let value = kept[definition.name], let canonical = try? definition.canonical(value) else { continue }
            values[definition.name] = canonical
        }
        return values
    }

    /// Returns a name for a refusal, which carries no other text than a name.
    static func shown(_ name: String) -> String { AttributeDefinition.isName(name) ? name : "attribute" }
}

extension AttributeDefinition {
    /// Returns a value in the form in which it is kept: numbers and times of one meaning have one form.
    fileprivate func canonical(_ value: AttributeValue) throws(FieldProblem) -> AttributeValue {
        switch (type, value) {
        case (.string, .string(let text)):
            guard text.utf8.count <= maximum else { throw .tooLong(maximum: maximum) }
            guard allows(text) else { throw .notSupported }
            return value
        case (.integer, .integer(let integer)):
            guard AttributeType.exactIntegers.contains(integer) else { throw .malformed }
            return value
        case (.number, .number(let number)):
            guard number.isFinite else { throw .malformed }
            return value
        case (.number, .integer(let integer)):
            guard AttributeType.exactIntegers.contains(integer) else { throw .malformed }
            return .number(Double(integer))
        case (.boolean, .boolean): return value
        case (.stringList, .stringList(let texts)):
            guard texts.count <= maximum else { throw .tooMany(maximum: maximum) }
            for text in texts {
                guard text.utf8.count <= Self.maximumElementBytes else {
                    throw .tooLong(maximum: Self.maximumElementBytes)
                }
                guard allows(text) else { throw .notSupported }
            }
            return value
        case (.dateTime, .string(let text)):
            guard let time = RFC3339.canonical(text) else { throw .malformed }
            return .string(time)
        default: throw .mistyped
        }
    }

    private func allows(_ text: String) -> Bool {
        allowed.map { $0.contains { $0.utf8.elementsEqual(text.utf8) } } ?? true
    }
}

extension AttributeValue {
    fileprivate var isKeepable: Bool {
        switch self {
        case .string(let text): text.isKeepable
        case .stringList(let texts): texts.allSatisfy(\.isKeepable)
        case .integer, .number, .boolean: true
        }
    }
}

extension AttributeChange {
    /// The size of the new values with their names, in bytes.
    var size: Int { Self.size(of: values) }

    /// - Throws: `AuthError.invalidAttribute` with the largest value if all are larger together than the maximum.
    func check(atMost maximum: Int) throws(AuthError) {
        guard size > maximum else { return }
        throw tooLarge(maximum)
    }

    /// Returns the refusal of a change with which an account's attributes would exceed the maximum together.
    func tooLarge(_ maximum: Int = AttributeDefinitions.maximumBytes) -> AuthError {
        let largest = values.max { ($0.value.size, $1.key) < ($1.value.size, $0.key) }
        return .invalidAttribute(largest?.key ?? "attribute", .tooLong(maximum: maximum))
    }

    /// Returns an account's attributes after the change.
    ///
    /// - Throws: `StoreRefusal.attributesTooLarge` if they exceed `AttributeDefinitions.maximumBytes` and the change makes
    ///   them larger.
    public func applied(to kept: [String: AttributeValue]) throws(StoreRefusal) -> [String: AttributeValue] {
        guard !isEmpty else { return kept }
        var changed = kept.merging(values) { _, new in new }
        for name in removed { changed[name] = nil }
        let size = Self.size(of: changed)
        guard size <= max(AttributeDefinitions.maximumBytes, Self.size(of: kept)) else { throw .attributesTooLarge }
        return changed
    }

    private static func size(of values: [String: AttributeValue]) -> Int {
        values.reduce(0) { $0 + $1.key.utf8.count + $1.value.size }
    }
}

extension AppSettings {
    /// Returns an account as it is presented to its owner's app, with the visible attributes.
    public func user(of account: Account) -> User {
        var user = account.user
        user.attributes = attributes.visible(in: account.attributes)
        return user
    }
}
