public import OstiaryCore

extension Codec {
    // MARK: Server

    /// Returns the answer to an operation that succeeded.
    public func write(_ answer: some OperationAnswer, to kind: OperationKind) -> WireResponse {
        guard let endpoint = endpoint(for: kind) else { return write(.unknownPath) }
        let fields = answer.fields
        var response = WireResponse(status: endpoint.status ?? 200)
        response.headers[DeviceTokenHeader.name] = answer.deviceToken?.reveal()
        var members: [JSON.Member]
        switch endpoint.answers ?? .nothing {
        case .fields(var uses):
            if fields[.accessToken] != nil, let completed = contract.completedSignIn(by: kind) { uses = completed }
            members = self.members(uses, of: fields, in: nil, keepingAbsent: true)
            if kind.description.answersUser { members += attributeMembers(ofUser: fields) }
        case .message(let text):
            members = [JSON.Member(Self.messageKey, .string(text))]
        case .nothing:
            guard let envelope = contract.envelope else { return response }
            return json([JSON.Member(envelope.successKey, true)], in: response)
        case .redirect:
            if case .text(let location) = fields[.location] { response.headers["location"] = location }
            return response
        }
        guard let envelope = contract.envelope else { return json(members, in: response) }
        let wrapped = [JSON.Member(envelope.successKey, true), JSON.Member(envelope.dataKey, .object(members))]
        return json(wrapped, in: response)
    }

    static let messageKey = "message"

    func json(_ members: [JSON.Member], in response: WireResponse) -> WireResponse {
        var response = response
        response.headers["content-type"] = "application/json; charset=utf-8"
        response.body = JSON.object(members).bytes
        return response
    }

    // MARK: Client

    /// Decodes the answer to an operation.
    ///
    /// - Throws: The refusal that the answer carries; `AuthError.rejected` for an answer that does not match the
    ///   contract; `AuthError.notFound` if the app does not have the operation.
    public func read<Operation: AuthOperation>(
        _ response: WireResponse, to operation: Operation.Type
    ) throws(AuthError) -> Operation.Answer {
        guard let endpoint = endpoint(for: Operation.kind) else { throw .notFound }
        if endpoint.answers == .redirect { return try readRedirect(response, to: operation) }
        guard (200..<300).contains(response.status), !reportsFailure(response) else {
            throw readRefusal(response, of: Operation.kind)
        }
        var fields = Fields()
        if case .fields(var uses) = endpoint.answers {
            do {
                let content = try content(response)
                if let completed = contract.completedSignIn(by: Operation.kind),
                    content[contract.spelling(of: .accessToken)] != nil
                {
                    uses = completed
                }
                try take(uses, from: content, in: nil, into: &fields)
                if Operation.description.answersUser { fields.attributes = anyAttributes(inUser: content) }
                return carryingDeviceToken(of: response, try Operation.Answer(fields))
            } catch {
                throw Self.unreadable(response)
            }
        }
        return carryingDeviceToken(of: response, try Operation.Answer(fields))
    }

    private func carryingDeviceToken<Answer: OperationAnswer>(of response: WireResponse, _ answer: Answer) -> Answer {
        guard let deviceToken = DeviceTokenHeader.read(response.headers[DeviceTokenHeader.name]) else { return answer }
        return answer.carrying(deviceToken: deviceToken)
    }

    private func readRedirect<Operation: AuthOperation>(
        _ response: WireResponse, to operation: Operation.Type
    ) throws(AuthError) -> Operation.Answer {
        guard (300..<400).contains(response.status), let location = response.headers["location"] else {
            throw readRefusal(response, of: Operation.kind)
        }
        var fields = Fields()
        fields.set(.location, location)
        return try Operation.Answer(fields)
    }

    /// Returns `true` if the envelope reports a failure, regardless of the status.
    private func reportsFailure(_ response: WireResponse) -> Bool {
        guard let envelope = contract.envelope, let json = try? JSON.read(response.body) else { return false }
        return json[envelope.successKey] == false
    }

    /// Returns the body without its envelope.
    private func content(_ response: WireResponse) throws(AuthError) -> JSON {
        guard let json = try? JSON.read(response.body) else { throw Self.unreadable(response) }
        guard let envelope = contract.envelope else { return json }
        guard json[envelope.successKey] == true, let data = json[envelope.dataKey] else {
            throw Self.unreadable(response)
        }
        return data
    }

    static func unreadable(_ response: WireResponse) -> AuthError {
        .rejected(status: response.status, message: "The server's answer could not be understood.")
    }
}
