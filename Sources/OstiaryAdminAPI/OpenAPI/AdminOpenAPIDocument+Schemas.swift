import OstiaryContracts

extension AdminOpenAPIDocument {
    /// The schemas of all values that operations use, by name.
    var schemas: JSON {
        var inRequests = Schemas()
        for operation in operations where operation.hasBody { inRequests.add(operation.body) }
        var all = inRequests
        for operation in operations where operation.hasAnswer { all.add(operation.answer) }
        all.add(AdminProblemDetails.self)
        let names = Set(inRequests.types.map { ObjectIdentifier($0) })
        return .object(
            all.types.map { type in
                JSON.Member(type.schemaName, type.schema(inRequest: names.contains(ObjectIdentifier(type))))
            })
    }

    /// The values that others refer to, each once.
    private struct Schemas {
        var types: [any AdminValue.Type] = []

        mutating func add(_ type: any AdminValue.Type) {
            guard !types.contains(where: { $0 == type }) else { return }
            types.append(type)
            for member in type.memberSchemas {
                if case .object(let type) = member.form { add(type) }
            }
        }
    }
}

/// The part of a member that does not depend on the type of its owner.
struct MemberSchema {
    let name: String
    let presence: AdminPresence
    let schema: JSON
    /// The schema without null, which no parameter is.
    let parameterSchema: JSON
    let form: AdminForm
}

extension AdminValue {
    static var memberSchemas: [MemberSchema] {
        members.map { member in
            MemberSchema(
                name: member.name, presence: member.presence, schema: member.schema,
                parameterSchema: member.valueSchema,
                form: member.form)
        }
    }

    /// Returns the schema of the value. In a request, unknown members are refused and members without a value may be absent.
    static func schema(inRequest: Bool) -> JSON {
        let members = memberSchemas
        let required = members.filter { $0.presence == .required || ($0.presence == .nullable && !inRequest) }
        var schema: [JSON.Member] = [
            JSON.Member("type", "object"),
            JSON.Member("properties", .object(members.map { JSON.Member($0.name, $0.schema) })),
        ]
        if !required.isEmpty {
            schema.append(JSON.Member("required", .array(required.map { .string($0.name) })))
        }
        schema.append(JSON.Member("additionalProperties", false))
        return .object(schema)
    }
}
