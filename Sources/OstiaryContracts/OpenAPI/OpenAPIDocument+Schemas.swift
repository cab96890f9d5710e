import OstiaryCore

extension OpenAPIDocument {
    enum Direction { case request, answer }

    var userSchema: JSON { answerSchema(contract.user, also: attributeAnswerMembers) }

    /// Returns the schema of a request. Members that the contract does not know are ignored, and null is equivalent to
    /// absent.
    ///
    /// - Parameter attributes: Optional members besides the fields.
    func requestSchema(_ uses: [FieldSpec], _ endpoint: Endpoint?, also attributes: [JSON.Member] = []) -> JSON {
        object(
            uses.map { use in
                let schema = self.schema(of: use.field, in: .request)
                return JSON.Member(
                    contract.spelling(of: use.field, in: endpoint), use.isOptional ? orNull(schema) : schema)
            } + attributes,
            required: uses.filter { !$0.isOptional }.map { contract.spelling(of: $0.field, in: endpoint) },
            isClosed: false)
    }

    /// Returns the schema of an answer: exactly these members, null if there is no value.
    ///
    /// - Parameter attributes: Members besides the fields, which are always there.
    func answerSchema(_ uses: [FieldSpec], also attributes: [JSON.Member] = []) -> JSON {
        object(
            uses.map { use in
                let schema = self.schema(of: use.field, in: .answer)
                return JSON.Member(contract.spelling(of: use.field), use.isOptional ? orNull(schema) : schema)
            } + attributes,
            required: uses.map { contract.spelling(of: $0.field) } + attributes.map(\.name), isClosed: true)
    }

    func object(_ properties: [JSON.Member], required: [String], isClosed: Bool) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("type", "object"), JSON.Member("properties", .object(properties)),
        ]
        if !required.isEmpty { members.append(JSON.Member("required", .array(required.map { .string($0) }))) }
        if isClosed { members.append(JSON.Member("additionalProperties", false)) }
        return .object(members)
    }

    /// Returns the schema extended by null.
    func orNull(_ schema: JSON) -> JSON {
        guard case .object(var members) = schema, schema["const"] == nil,
            let index = members.firstIndex(where: { $0.name == "type" })
        else { return ["anyOf": [schema, ["type": "null"]]] }
        members[index].value = [members[index].value, "null"]
        return .object(members)
    }

    func schema(of field: Field, in direction: Direction) -> JSON {
        switch contract.type(of: field) {
        case .text: text(field)
        case .integer: field == .id ? ["type": "integer"] : ["type": "integer", "minimum": 0]
        case .flag: ["type": "boolean"]
        case .texts: ["type": "array", "items": ["type": "string"]]
        case .map: ["type": "object", "additionalProperties": ["type": "string"]]
        case .json: ["type": "object", "description": "An object of WebAuthn Level 3 §5.1"]
        case .object(let uses):
            switch (field, direction) {
            case (.user, _): ["$ref": "#/components/schemas/User"]
            case (_, .request): requestSchema(uses, nil)
            case (_, .answer): knownPartSchema(uses)
            }
        case .list(let uses):
            ["type": "array", "items": direction == .answer ? answerSchema(uses) : requestSchema(uses, nil)]
        }
    }

    /// Returns the schema of an object in an answer that omits members without a value.
    private func knownPartSchema(_ uses: [FieldSpec]) -> JSON {
        object(
            uses.map { JSON.Member(contract.spelling(of: $0.field), schema(of: $0.field, in: .answer)) },
            required: uses.filter { !$0.isOptional }.map { contract.spelling(of: $0.field) }, isClosed: true)
    }

    private func text(_ field: Field) -> JSON {
        guard let maximum = field.maximumBytes, case .object(let members) = form(of: field) else {
            return form(of: field)
        }
        return .object(members + [JSON.Member("maxLength", .integer(maximum))])
    }

    /// Returns the schema of a text in the field, without its maximum length.
    private func form(of field: Field) -> JSON {
        switch field {
        case .id where contract.rules.accountIDs == .uuid: ["type": "string", "format": "uuid"]
        case .email: ["type": "string", "format": "email"]
        case .username: ["type": "string", "minLength": 1]
        case .phoneNumber:
            ["type": "string", "pattern": "^\\+[1-9][0-9]{6,14}$", "description": "E.164, for example +15551234567"]
        case .code:
            [
                "type": "string", "description": "A one-time code",
                "pattern": .string(
                    "^[0-9]{\(OneTimeCode.lengths.lowerBound),\(OneTimeCode.lengths.upperBound)}$"),
            ]
        case .password, .currentPassword, .newPassword: ["type": "string", "format": "password"]
        case .createdAt, .lastUsedAt: ["type": "string", "format": "date-time"]
        case .acr: ["type": "string", "enum": .array(AuthenticationLevel.allCases.map { .string($0.rawValue) })]
        case .redirectUri, .oauthUrl, .otpauthUri: ["type": "string", "format": "uri"]
        case .tokenType: tokenTypeSchema
        default: ["type": "string"]
        }
    }
}
