/// The account attributes that an app declares in its configuration.
public struct AttributeDefinitions: Hashable, Sendable {
    /// The definitions, in the order of the declaration.
    public let all: [AttributeDefinition]
    /// The visible ones, in the same order.
    package let visible: [AttributeDefinition]
    private let byName: [String: AttributeDefinition]

    /// The maximum number of attributes of an app.
    public static let maximumCount = 50
    /// The maximum size of an account's attributes: names and values, in bytes.
    public static let maximumBytes = 16_384

    /// No attributes.
    public static let none = AttributeDefinitions(checked: [])

    private init(checked definitions: [AttributeDefinition]) {
        all = definitions
        visible = definitions.filter(\.isVisible)
        byName = Dictionary(definitions.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Creates definitions from a list.
    ///
    /// - Throws: ``AttributeDefinitionProblem`` for too many, two of one name, and a definition that contradicts itself.
    public init(_ definitions: [AttributeDefinition]) throws(AttributeDefinitionProblem) {
        var names: Set<String> = []
        for definition in definitions {
            if let need = definition.unmetNeed {
                throw AttributeDefinitionProblem(name: definition.name, need: need)
            }
            guard names.insert(definition.name).inserted else {
                throw AttributeDefinitionProblem(name: definition.name, need: "needs a name of its own")
            }
        }
        guard definitions.count <= Self.maximumCount else {
            throw AttributeDefinitionProblem(name: nil, need: "needs at most \(Self.maximumCount) attributes")
        }
        self.init(checked: definitions)
    }

    /// The definition of a name; nil for a name that is not declared.
    public subscript(name: String) -> AttributeDefinition? {
        AttributeDefinition.isName(name) ? byName[name] : nil
    }

    /// `true` if the app declares no attributes.
    public var isEmpty: Bool { all.isEmpty }

    /// Returns `true` if both declare the same in the same order.
    public static func == (one: Self, other: Self) -> Bool { one.all == other.all }
    /// Hashes the definitions.
    public func hash(into hasher: inout Hasher) { hasher.combine(all) }
}

/// The reason for which the declaration of attributes is rejected.
public struct AttributeDefinitionProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the attribute; nil for a problem of the whole declaration.
    public let name: String?
    /// The requirement, as the rest of a sentence.
    public let need: String

    /// The name and the requirement.
    public var description: String { [name, need].compactMap(\.self).joined(separator: ": ") }
}

extension AttributeDefinition {
    /// The requirement that the definition does not meet; nil if it meets all.
    fileprivate var unmetNeed: String? {
        guard Self.isName(name) else { return Self.nameNeed }
        if let range = Self.maximumRange(of: type), !range.contains(maximum) {
            return "needs a max from \(range.lowerBound) to \(range.upperBound)"
        }
        if Self.maximumRange(of: type) == nil, maximum != 0 { return "must not have a max: its type has no length" }
        return allowed.flatMap { unmetNeed(ofAllowed: $0) }
    }

    private func unmetNeed(ofAllowed texts: [String]) -> String? {
        guard type == .string || type == .stringList else { return "must not have an enum: its values are no texts" }
        let longest = type == .string ? min(maximum, Self.maximumElementBytes) : Self.maximumElementBytes
        guard (1...Self.maximumAllowed).contains(texts.count),
            texts.allSatisfy({ (1...longest).contains($0.utf8.count) && $0.isKeepable })
        else { return "needs an enum of 1 to \(Self.maximumAllowed) texts of 1 to \(longest) bytes" }
        guard Set(texts.map { Array($0.utf8) }).count == texts.count else { return "needs an enum without duplicates" }
        return nil
    }
}

extension String {
    /// `true` if every store keeps the text as it is: it contains no NUL, and no run of marks that slows comparisons.
    package var isKeepable: Bool { !utf8.contains(0) && StreamSafeText.isStreamSafe(Array(utf8)) }
}
