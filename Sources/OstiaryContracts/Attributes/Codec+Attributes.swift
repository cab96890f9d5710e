import OstiaryCore

/// An account attribute with its spelling in a contract.
struct SpelledAttribute: Sendable {
    var definition: AttributeDefinition
    var spelling: String
}

extension Codec {
    // MARK: Server

    /// Returns the account attributes of a request. Names that the app does not declare are ignored, as every unknown
    /// member is.
    func declaredAttributes(in json: JSON) throws(AuthError) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for attribute in spelledAttributes {
            guard let member = json[attribute.spelling], member != .null else { continue }
            let name = attribute.definition.name
            guard let value = AttributeValue(member) else { throw .invalidAttribute(name, .mistyped) }
            values[name] = value
        }
        return values
    }

    /// Returns the members of a user for the visible attributes, null for one without a value.
    func attributeMembers(ofUser fields: Fields) -> [JSON.Member] {
        spelledAttributes.compactMap { attribute in
            guard attribute.definition.isVisible else { return nil }
            return JSON.Member(
                attribute.spelling, fields.attributes[attribute.definition.name].map { JSON($0) } ?? .null)
        }
    }

    // MARK: Client

    /// Returns the members of a request for account attributes, in the order of their names.
    ///
    /// - Throws: ``ContractProblem/invalid(_:)`` for a name that is none of an attribute, or that the contract uses.
    func attributeMembers(ofRequest fields: Fields) throws(ContractProblem) -> [JSON.Member] {
        var members: [JSON.Member] = []
        for (name, value) in fields.attributes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
            guard AttributeDefinition.isName(name) else { throw .invalid("attributes: a name is not valid") }
            let spelling = contract.naming.spelling(ofAttribute: name)
            guard !reservedNames.contains(name), !reservedNames.contains(spelling) else {
                throw .invalid("attributes: \(name) is a name of the contract")
            }
            members.append(JSON.Member(spelling, JSON(value)))
        }
        return members
    }

    /// Returns the account attributes of a user object: every member that has the form of one and no name of the
    /// contract. The client needs no declaration.
    func anyAttributes(inUser json: JSON) -> [String: AttributeValue] {
        guard case .object(let members) = json else { return [:] }
        var values: [String: AttributeValue] = [:]
        for member in members where values.count < AttributeDefinitions.maximumCount {
            guard let name = contract.naming.attribute(spelled: member.name), !reservedNames.contains(member.name),
                !reservedNames.contains(name), let value = AttributeValue(member.value),
                value.size <= AttributeDefinitions.maximumBytes
            else { continue }
            values[name] = value
        }
        return values
    }
}
