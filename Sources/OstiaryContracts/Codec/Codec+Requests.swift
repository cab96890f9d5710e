public import OstiaryCore

extension Codec {
    // MARK: Server

    /// Decodes the operation that a request asks for.
    ///
    /// - Throws: ``WireRefusal`` for every request that is not one of the contract's.
    public func read(_ request: WireRequest) throws(WireRefusal) -> any AuthOperation {
        let (kind, path) = try route(request)
        guard let endpoint = endpoint(for: kind) else { throw .unknownPath }
        do {
            var fields = try authorization(of: request, for: kind)
            let carried = try endpoint.method == .get ? query(request, endpoint) : body(request, endpoint, of: kind)
            try take(endpoint.takes ?? [], from: carried, in: endpoint, into: &fields)
            if kind.description.takesAttributes { fields.attributes = try declaredAttributes(in: carried) }
            for (field, text) in path { fields[field] = .text(text) }
            try checkProvider(kind, fields)
            return try kind.operation.init(fields)
        } catch let refusal as WireRefusal {
            throw refusal
        } catch let error as AuthError {
            throw .refused(error)
        } catch {
            throw .refused(.malformedRequest)
        }
    }

    /// Rejects a provider that is not one of the contract's, if the contract lists its providers.
    private func checkProvider(_ kind: OperationKind, _ fields: Fields) throws {
        guard kind == .beginSocialSignIn || kind == .signInWithIdentityToken,
            case .text(let provider) = fields[.provider]
        else { return }
        guard
            contract.socialProviders.isEmpty
                || contract.socialProviders.contains(where: { $0.utf8.elementsEqual(provider.utf8) })
        else { throw WireRefusal.refused(.notFound) }
    }

    private func authorization(of request: WireRequest, for kind: OperationKind) throws(AuthError) -> Fields {
        var fields = Fields()
        let authorization = kind.description.authorization
        guard authorization != .none else { return fields }
        if let token = request.headers["authorization"].flatMap(BearerToken.read) {
            fields.set(.accessToken, token)
        } else if authorization == .required {
            throw .invalidAccessToken
        }
        return fields
    }

    private func query(_ request: WireRequest, _ endpoint: Endpoint) throws -> JSON {
        guard endpoint.takes?.isEmpty == false else { return .object([]) }
        var members: [JSON.Member] = []
        var names: Set<String> = []
        for parameter in ParameterReader(request.query) {
            guard case .named(let name, let value) = parameter, names.insert(name).inserted else {
                throw AuthError.malformedRequest
            }
            members.append(JSON.Member(name, .string(value)))
        }
        return .object(members)
    }

    private func body(_ request: WireRequest, _ endpoint: Endpoint, of kind: OperationKind) throws -> JSON {
        let hasFields = endpoint.takes?.isEmpty == false
        // An operation without fields accepts an empty body, and ignores any other.
        guard hasFields || (kind.description.takesAttributes && !attributes.isEmpty) else { return .object([]) }
        if request.body.isEmpty { return .object([]) }
        guard MediaType.isJSON(request.headers["content-type"]) else { throw WireRefusal.unsupportedMediaType }
        do {
            let json = try JSON.read(request.body)
            guard case .object = json else { throw AuthError.malformedRequest }
            return json
        } catch is JSONProblem {
            throw AuthError.malformedRequest
        }
    }

    /// Decodes the fields listed in `uses` from a JSON object, each with its own type.
    func take(
        _ uses: [FieldSpec], from json: JSON, in endpoint: Endpoint?, into fields: inout Fields
    ) throws(AuthError) {
        for use in uses {
            let value = json[contract.spelling(of: use.field, in: endpoint)]
            if let value, value != .null {
                fields[use.field] = try self.value(value, of: use.field)
            } else if !use.isOptional {
                throw .invalid(use.field, .missing)
            }
        }
    }

    private func value(_ json: JSON, of field: Field) throws(AuthError) -> Fields.Value {
        switch (contract.type(of: field), json) {
        case (.text, .string(let text)): return .text(text)
        case (.integer, .integer(let integer)): return field == .id ? .text(String(integer)) : .integer(integer)
        case (.flag, .boolean(let flag)): return .flag(flag)
        case (.texts, .array(let elements)):
            var texts: [String] = []
            for element in elements {
                guard case .string(let text) = element else { throw .invalid(field, .mistyped) }
                texts.append(text)
            }
            return .texts(texts)
        case (.object(let uses), .object) where field == .user: return .object(try user(json, uses))
        case (.object(let uses), .object): return .object(try object(json, uses))
        case (.list(let uses), .array(let elements)):
            var list: [Fields] = []
            for element in elements {
                guard case .object = element else { throw .invalid(field, .mistyped) }
                list.append(try object(element, uses))
            }
            return .list(list)
        case (.map, .object(let members)):
            var map: [String: String] = [:]
            for member in members {
                guard case .string(let text) = member.value else { throw .invalid(field, .mistyped) }
                guard member.name.isShortASCII(atMost: Self.maximumMapNameBytes) else {
                    throw .invalid(field, .malformed)
                }
                map[member.name] = text
            }
            return .map(map)
        case (.json, .object): return .json(String(decoding: json.bytes, as: UTF8.self))
        default: throw .invalid(field, .mistyped)
        }
    }

    /// The maximum length of a name in a map, in bytes; no provider uses a longer one.
    private static let maximumMapNameBytes = 128

    private func object(_ json: JSON, _ uses: [FieldSpec]) throws(AuthError) -> Fields {
        var fields = Fields()
        try take(uses, from: json, in: nil, into: &fields)
        return fields
    }

    private func user(_ json: JSON, _ uses: [FieldSpec]) throws(AuthError) -> Fields {
        var fields = try object(json, uses)
        fields.attributes = anyAttributes(inUser: json)
        return fields
    }

    // MARK: Client

    /// Returns the request for an operation.
    ///
    /// - Throws: ``ContractProblem/lacks(_:)`` if the app does not have the operation; ``ContractProblem/invalid(_:)`` for
    ///   an account attribute with a name of the contract.
    public func write<Operation: AuthOperation>(_ operation: Operation) throws(ContractProblem) -> WireRequest {
        guard let endpoint = endpoint(for: Operation.kind) else { throw .lacks(Operation.kind) }
        let fields = operation.fields
        let carried =
            try members(endpoint.takes ?? [], of: fields, in: endpoint, keepingAbsent: false)
            + attributeMembers(ofRequest: fields)
        var request = WireRequest(method: endpoint.method.rawValue, path: path(endpoint, fields))
        request.headers["accept"] = MediaType.json
        if Operation.description.authorization != .none, case .text(let token) = fields[.accessToken] {
            request.headers["authorization"] = BearerToken.write(token)
            // timetracker requires it with or without a body; the other contracts accept it.
            request.headers["content-type"] = MediaType.json
        }
        if endpoint.method == .get {
            request.query = carried.compactMap { member -> String? in
                guard case .string(let text) = member.value else { return nil }
                return "\(PercentEncoding.encode(member.name))=\(PercentEncoding.encode(text, keeping: ":/"))"
            }.joined(separator: "&")
        } else if !carried.isEmpty || endpoint.takes?.isEmpty == false {
            request.headers["content-type"] = MediaType.json
            request.body = JSON.object(carried).bytes
        }
        return request
    }

    private func path(_ endpoint: Endpoint, _ fields: Fields) -> String {
        let segments = Self.segments(contract.prefix + endpoint.path).map { segment -> String in
            guard segment.hasPrefix("{"), let field = Field(rawValue: String(segment.dropFirst().dropLast())),
                case .text(let text) = fields[field]
            else { return String(segment) }
            return PercentEncoding.encode(text)
        }
        return segments.joined(separator: "/")
    }

    /// Returns the members of a JSON object for the fields listed in `uses`, in their order.
    func members(
        _ uses: [FieldSpec], of fields: Fields, in endpoint: Endpoint?, keepingAbsent: Bool
    ) -> [JSON.Member] {
        uses.compactMap { use in
            guard let value = fields[use.field] else {
                return keepingAbsent ? JSON.Member(contract.spelling(of: use.field, in: endpoint), .null) : nil
            }
            return JSON.Member(contract.spelling(of: use.field, in: endpoint), json(value, of: use.field))
        }
    }

    private func json(_ value: Fields.Value, of field: Field) -> JSON {
        switch (value, contract.type(of: field)) {
        case (.text(let text), .integer): return Int(text).map { .integer($0) } ?? .string(text)
        case (.text(let text), _): return .string(text)
        case (.integer(let integer), _): return .integer(integer)
        case (.flag(let flag), _): return .boolean(flag)
        case (.texts(let texts), _): return .array(texts.map { .string($0) })
        case (.object(let fields), .object(let uses)):
            // A user object contains all its fields, null if they have no value; a device object contains only the
            // fields that have one.
            let members = members(uses, of: fields, in: nil, keepingAbsent: field == .user)
            return .object(field == .user ? members + attributeMembers(ofUser: fields) : members)
        case (.list(let list), .list(let uses)):
            return .array(list.map { .object(members(uses, of: $0, in: nil, keepingAbsent: true)) })
        case (.map(let map), _):
            return .object(map.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) })
        // The server refuses null as a missing field.
        case (.json(let text), _): return (try? JSON.read(Array(text.utf8))) ?? .null
        default: return .null
        }
    }
}
