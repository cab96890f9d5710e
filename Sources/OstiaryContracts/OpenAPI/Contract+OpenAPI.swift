public import OstiaryCore

extension Contract {
    /// Returns the contract as an OpenAPI 3.1 document: every operation with its parameters, answers and refusals.
    ///
    /// - Parameters:
    ///   - title: The title of the API; the contract's name if nil.
    ///   - version: The version of the API, not of OpenAPI.
    ///   - serverURL: The base URL of the app on its server; `/` if nil.
    ///   - attributes: The account attributes that the app declares.
    ///   - bindsTokens: `true` for an app whose tokens may be bound to a key, which requests prove. Source: RFC 9449.
    ///
    /// Source: OpenAPI Specification 3.1.0.
    public func openAPI(
        title: String? = nil, version: String = "1", serverURL: String? = nil, attributes: AttributeDefinitions = .none,
        bindsTokens: Bool = false
    ) -> JSON {
        let document = OpenAPIDocument(contract: self, attributes: attributes, bindsTokens: bindsTokens)
        return [
            "openapi": "3.1.0",
            "info": [
                "title": .string(title ?? name),
                "description": .string(summary),
                "version": .string(version),
            ],
            "servers": [["url": .string(serverURL ?? "/")]],
            "paths": document.paths,
            "components": [
                "schemas": ["User": document.userSchema, "Failure": document.failureSchema],
                "responses": document.failureResponses,
                "securitySchemes": document.securitySchemes,
            ],
        ]
    }
}

/// The parts of a contract's OpenAPI document.
struct OpenAPIDocument {
    let contract: Contract
    /// The account attributes that the app declares.
    let attributes: AttributeDefinitions
    /// `true` if the app's tokens may be bound to a key.
    var bindsTokens = false

    /// The operations by path, in the contract's order, followed by the endpoints that every app has.
    var paths: JSON {
        var paths: [JSON.Member] = []
        for (kind, endpoint) in contract.operations {
            let operation = JSON.Member(endpoint.method.rawValue.lowercased(), self.operation(kind, endpoint))
            let path = self.path(endpoint)
            if let index = paths.firstIndex(where: { $0.name == path }), case .object(let members) = paths[index].value
            {
                paths[index].value = .object(members + [operation])
            } else {
                paths.append(JSON.Member(path, .object([operation])))
            }
        }
        paths.append(JSON.Member("/verify", ["get": verification]))
        paths.append(JSON.Member("/openapi.json", ["get": ownDescription]))
        return .object(paths)
    }

    private func path(_ endpoint: Endpoint) -> String {
        let segments = Codec.segments(contract.prefix + endpoint.path).map { segment in
            pathField(segment).map { "{\(contract.spelling(of: $0))}" } ?? String(segment)
        }
        return segments.joined(separator: "/")
    }

    private func pathField(_ segment: Substring) -> Field? {
        segment.hasPrefix("{") ? Field(rawValue: String(segment.dropFirst().dropLast())) : nil
    }

    private func operation(_ kind: OperationKind, _ endpoint: Endpoint) -> JSON {
        var members: [JSON.Member] = [
            JSON.Member("operationId", .string(kind.rawValue)),
            JSON.Member("summary", .string(kind.description.summary)),
        ]
        let parameters = self.parameters(kind, endpoint)
        if !parameters.isEmpty { members.append(JSON.Member("parameters", .array(parameters))) }
        let takes = endpoint.takes ?? []
        let ownAttributes = kind.description.takesAttributes ? attributeRequestMembers : []
        if endpoint.method != .get, !takes.isEmpty || !ownAttributes.isEmpty {
            let body: JSON = [
                "required": .boolean(takes.contains { !$0.isOptional }),
                "content": content(requestSchema(takes, endpoint, also: ownAttributes)),
            ]
            members.append(JSON.Member("requestBody", body))
        }
        members.append(JSON.Member("security", security(kind.description.authorization)))
        let success = JSON.Member(String(endpoint.status ?? 200), successResponse(kind, endpoint))
        let failures = statuses(kind, endpoint).map(failureReference)
        members.append(JSON.Member("responses", .object([success] + failures)))
        return .object(members)
    }

    private func parameters(_ kind: OperationKind, _ endpoint: Endpoint) -> [JSON] {
        let inPath = Codec.segments(endpoint.path).compactMap(pathField).map { field -> JSON in
            let providers = contract.socialProviders.map { JSON.string($0) }
            let schema: JSON =
                field == .provider && !providers.isEmpty
                ? ["type": "string", "enum": .array(providers)] : self.schema(of: field, in: .request)
            return [
                "name": .string(contract.spelling(of: field)), "in": "path", "required": true, "schema": schema,
            ]
        }
        var inHeader = (kind.description.presentsDevice ? [deviceTokenParameter] : []) + proofParameters(of: kind)
        if kind == .signIn { inHeader.append(proofOfWorkParameter) }
        if kind.description.needsAppAssertion { inHeader.append(appAssertionParameter) }
        guard endpoint.method == .get else { return inPath + inHeader }
        let inQuery = (endpoint.takes ?? []).map { use -> JSON in
            [
                "name": .string(contract.spelling(of: use.field, in: endpoint)), "in": "query",
                "required": .boolean(!use.isOptional), "schema": schema(of: use.field, in: .request),
            ]
        }
        return inPath + inQuery + inHeader
    }

    private func security(_ authorization: OperationDescription.Authorization) -> JSON {
        switch authorization {
        case .required: .array(accessTokens)
        case .optional: .array(accessTokens + [[:]])
        case .none: []
        }
    }

    func content(_ schema: JSON) -> JSON { .object([JSON.Member(MediaType.json, ["schema": schema])]) }
}
