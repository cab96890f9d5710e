import OstiaryCore

extension Contract {
    /// Validates an operation's endpoint.
    ///
    /// - Throws: ``ContractProblem/invalid(_:)`` if the operation cannot be requested or answered with this endpoint.
    func check(_ endpoint: Endpoint, of kind: OperationKind) throws(ContractProblem) {
        let place = "endpoints.\(kind.rawValue)"
        let inPath = try checkPath(endpoint, of: kind, at: "\(place).path")
        try checkTakes(endpoint, of: kind, besides: inPath, at: "\(place).takes")
        try checkAnswer(endpoint, of: kind, at: "\(place).answers")
        try checkStatus(endpoint, at: "\(place).status")
        if kind == .refresh, rules.refresh == nil { throw .invalid("\(place): rules.refresh is missing") }
    }

    /// - Returns: The fields that the path carries.
    private func checkPath(_ endpoint: Endpoint, of kind: OperationKind, at place: String) throws(ContractProblem)
        -> Set<Field>
    {
        guard endpoint.path.hasPrefix("/") else { throw .invalid("\(place): begins with /") }
        var fields: Set<Field> = []
        for segment in Codec.segments(endpoint.path) where segment.hasPrefix("{") {
            guard segment.hasSuffix("}"), let field = Field(rawValue: String(segment.dropFirst().dropLast())) else {
                throw .invalid("\(place): \(segment) is no field")
            }
            guard kind.description.request.allowed.contains(field), type(of: field) == .text,
                fields.insert(field).inserted
            else { throw .invalid("\(place): \(segment) cannot stand here") }
        }
        let literal = Codec.segments(endpoint.path).filter { !$0.hasPrefix("{") }.joined(separator: "/")
        guard Self.isPlainPath(fields.isEmpty ? endpoint.path : literal) else {
            throw .invalid("\(place): needs escapes, or has an empty segment")
        }
        return fields
    }

    private func checkTakes(
        _ endpoint: Endpoint, of kind: OperationKind, besides inPath: Set<Field>, at place: String
    ) throws(ContractProblem) {
        let takes = endpoint.takes ?? []
        try checkSpellings(takes, in: endpoint, at: place)
        for use in takes {
            guard kind.description.request.allowed.contains(use.field), !inPath.contains(use.field) else {
                throw .invalid("\(place): \(kind.rawValue) has no use for \(use.field.rawValue)")
            }
            if endpoint.method == .get, type(of: use.field) != .text || Self.passwords.contains(use.field) {
                throw .invalid("\(place): \(use.field.rawValue) cannot stand in the query of a GET")
            }
        }
        let carried = inPath.union(takes.map(\.field))
        var needs = kind.description.request.required
        if [.signIn, .register, .beginPasskeyAccount].contains(kind) { needs.insert(rules.identifierField) }
        if kind == .register, rules.registersWithCode { needs.insert(.code) }
        if kind == .resetPassword { needs.formUnion(carried.contains(.phoneNumber) ? [.code] : [.resetToken]) }
        if let missing = needs.subtracting(carried).map(\.rawValue).min() {
            throw .invalid("\(place): \(kind.rawValue) needs \(missing)")
        }
    }

    private static let passwords: Set<Field> = [.password, .currentPassword, .newPassword]

    private func checkAnswer(_ endpoint: Endpoint, of kind: OperationKind, at place: String) throws(ContractProblem) {
        let leads = kind == .beginBrowserSignIn || kind == .beginSocialSignIn
        switch endpoint.answers ?? .nothing {
        case .redirect:
            guard leads else { throw .invalid("\(place): \(kind.rawValue) is no redirect") }
        case .message, .nothing:
            guard kind.description.answer?.required.isEmpty ?? true else {
                throw .invalid("\(place): \(kind.rawValue) answers with fields")
            }
        case .fields(let uses):
            try checkSpellings(uses, in: nil, at: place)
            let answer = kind.description.answer ?? FieldSet([])
            if let use = uses.first(where: { !answer.allowed.contains($0.field) }) {
                throw .invalid("\(place): \(kind.rawValue) has no \(use.field.rawValue)")
            }
            var needs = answer.required
            // An access token without its refresh token would break the session.
            if kind == .changePassword { needs.insert(.accessToken) }
            if answer.allowed.contains(.refreshToken), rules.refresh != nil { needs.insert(.refreshToken) }
            if let missing = needs.subtracting(uses.map(\.field)).map(\.rawValue).min() {
                throw .invalid("\(place): \(kind.rawValue) needs \(missing)")
            }
        }
    }

    private func checkStatus(_ endpoint: Endpoint, at place: String) throws(ContractProblem) {
        let status = endpoint.status ?? 200
        let isRedirect = endpoint.answers == .redirect
        guard (isRedirect ? 300..<400 : 200..<300).contains(status) else {
            throw .invalid("\(place): \(isRedirect ? "300 to 399" : "200 to 299")")
        }
        if status == 204, endpoint.answers != .nothing || envelope != nil {
            throw .invalid("\(place): a 204 has no body")
        }
    }
}
