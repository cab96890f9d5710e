import OstiaryContracts
import OstiaryCore

extension AttributeDefinitions {
    /// Reads the account attributes of an app: `plan: {type: string, enum: [free, pro], access: admin, visible: true}`.
    ///
    /// - Throws: For a definition that contradicts itself, and for a name that the contract uses.
    init(_ section: Section, of contract: Contract) throws(ConfigurationProblem) {
        var definitions: [AttributeDefinition] = []
        for name in section.names {
            let definition = try Self.definition(name, section)
            if AttributeDefinition.isName(name), let taken = contract.nameTaken(byAttribute: name) {
                throw section.problem(name, "needs another name: \(taken) is a name of the contract \(contract.name)")
            }
            definitions.append(definition)
        }
        try section.finish()
        do { try self.init(definitions) } catch {
            guard let name = error.name else {
                throw ConfigurationProblem(place: section.place, key: section.key, need: error.need)
            }
            throw section.problem(name, error.need)
        }
    }

    private static func definition(
        _ name: String, _ section: Section
    ) throws(ConfigurationProblem) -> AttributeDefinition {
        // Checked before the path of the name is looked up in the environment.
        guard AttributeDefinition.isName(name) else {
            throw section.problem(name, AttributeDefinition.nameNeed)
        }
        let entry = try section.section(name)
        let types = AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
        let type: AttributeType = try entry.required("type", "one of \(types)").choice()
        let access = try entry.choice("access", of: AttributeAccess.self) ?? .admin
        let isVisible = try entry.boolean("visible")
        if access == .owner, isVisible == false {
            throw entry.problem("visible", "must not be false: an attribute that its owner writes is visible")
        }
        var maximum: Int?
        if entry.has("max") {
            guard let range = AttributeDefinition.maximumRange(of: type) else {
                throw entry.problem("max", "must not be here: the type \(type.rawValue) has no length")
            }
            maximum = try entry.integer("max", in: range)
        }
        let allowed = entry.has("enum") ? try entry.texts("enum") : nil
        try entry.finish()
        return AttributeDefinition(
            name, type, access: access, isVisible: isVisible ?? false, maximum: maximum, allowed: allowed)
    }

    func show(in outline: inout Outline) {
        for definition in all {
            outline.add(definition.name) { outline in
                outline.add("type", definition.type.rawValue)
                outline.add("access", definition.access.rawValue)
                outline.add("visible", definition.isVisible)
                if AttributeDefinition.maximumRange(of: definition.type) != nil {
                    outline.add("max", definition.maximum)
                }
                if let allowed = definition.allowed { outline.add("enum", allowed) }
            }
        }
    }
}
