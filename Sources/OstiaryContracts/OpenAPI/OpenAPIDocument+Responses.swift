import OstiaryCore

extension OpenAPIDocument {
    // MARK: Success

    func successResponse(_ kind: OperationKind, _ endpoint: Endpoint) -> JSON {
        let response = successContent(kind, endpoint)
        guard kind.description.answersDevice, case .object(let members) = response else { return response }
        return .object(members + [JSON.Member("headers", .object([deviceTokenHeader]))])
    }

    private func successContent(_ kind: OperationKind, _ endpoint: Endpoint) -> JSON {
        switch endpoint.answers ?? .nothing {
        case .fields(let uses):
            if kind.description.answersUser {
                response("Success", inEnvelope(answerSchema(uses, also: attributeAnswerMembers)))
            } else if let completed = contract.completedSignIn(by: kind) {
                response("Success", inEnvelope(["anyOf": [answerSchema(uses), answerSchema(completed)]]))
            } else {
                response("Success", inEnvelope(answerSchema(uses)))
            }
        case .message(let text):
            response(
                "Success",
                inEnvelope(
                    object(
                        [JSON.Member(Codec.messageKey, ["type": "string", "const": .string(text)])],
                        required: [Codec.messageKey], isClosed: true)))
        case .nothing: contract.envelope == nil ? ["description": "Success"] : response("Success", inEnvelope(nil))
        case .redirect:
            [
                "description": "To the identity provider",
                "headers": ["Location": ["required": true, "schema": ["type": "string", "format": "uri"]]],
            ]
        }
    }

    private func response(_ description: String, _ schema: JSON?) -> JSON {
        guard let schema else { return ["description": .string(description)] }
        return ["description": .string(description), "content": content(schema)]
    }

    private func inEnvelope(_ schema: JSON?) -> JSON? {
        guard let envelope = contract.envelope else { return schema }
        let success = JSON.Member(envelope.successKey, ["type": "boolean", "const": true])
        guard let schema else { return object([success], required: [envelope.successKey], isClosed: true) }
        return object(
            [success, JSON.Member(envelope.dataKey, schema)], required: [envelope.successKey, envelope.dataKey],
            isClosed: true)
    }

    // MARK: Failure

    /// Returns the statuses of an operation's refusals, in ascending order.
    func statuses(_ kind: OperationKind, _ endpoint: Endpoint) -> [Int] {
        let description = kind.description
        var statuses = [400, 405, 429, 503] + description.refusals
        if description.authorization == .required { statuses.append(401) }
        if description.needsAppAssertion, !statuses.contains(403) { statuses.append(403) }
        if endpoint.method != .get { statuses.append(413) }
        if endpoint.method != .get, endpoint.takes?.isEmpty == false { statuses.append(415) }
        return statuses.sorted()
    }

    func failureReference(_ status: Int) -> JSON.Member {
        JSON.Member(String(status), ["$ref": .string("#/components/responses/Failure\(status)")])
    }

    /// One response for each status; all have the contract's error body.
    var failureResponses: JSON {
        let seconds: JSON = ["schema": ["type": "integer", "minimum": 0]]
        let text: JSON = ["schema": ["type": "string"]]
        return .object([
            failure(400, "The request cannot be read, or something in it is refused"),
            failure(401, "Wrong credentials, or a token that is no good", header: ("WWW-Authenticate", text)),
            failure(403, "A role, a confirmation, a refresh token or a recent sign-in is missing"),
            failure(404, "There is no such thing"),
            failure(405, "The path takes other methods", header: ("Allow", text)),
            failure(409, "The identifier is taken"),
            failure(413, "The body is too large"),
            failure(415, "The body is not application/json in UTF-8"),
            failure(429, "Too many attempts", header: ("Retry-After", seconds)),
            failure(503, "Not available at the moment", header: ("Retry-After", seconds)),
        ])
    }

    private func failure(_ status: Int, _ description: String, header: (name: String, value: JSON)? = nil)
        -> JSON.Member
    {
        var members = [JSON.Member("description", .string(description))]
        if let header { members.append(JSON.Member("headers", .object([JSON.Member(header.name, header.value)]))) }
        members.append(JSON.Member("content", content(["$ref": "#/components/schemas/Failure"])))
        return JSON.Member("Failure\(status)", .object(members))
    }

    /// The schema of the contract's error body, including the members that Ostiary adds.
    var failureSchema: JSON {
        var properties: [JSON.Member] = []
        if let envelope = contract.envelope {
            properties.append(JSON.Member(envelope.successKey, ["type": "boolean", "const": false]))
        }
        properties.append(
            JSON.Member(contract.failureKey, ["type": "string", "description": "What a person can be told"]))
        properties.append(
            JSON.Member(Codec.Key.code, ["type": "string", "description": "Stable and machine-readable"]))
        let required = properties.map(\.name)
        properties += [
            JSON.Member(Codec.Key.retryAfter, ["type": "integer", "description": "Seconds"]),
            JSON.Member(Codec.Key.incident, ["type": "string", "description": "What the server's log has it under"]),
            JSON.Member(Codec.Key.minimum, ["type": "integer", "description": "Characters"]),
            JSON.Member(Codec.Key.maximum, ["type": "integer", "description": "Bytes"]),
            JSON.Member(Codec.Key.challenge, ["type": "string", "description": "The next step asked for"]),
            JSON.Member(Codec.Key.challengeToken, ["type": "string", "description": "Goes with its answers"]),
            JSON.Member(
                Codec.Key.methods,
                [
                    "type": "array", "items": ["type": "string"],
                    "description": "The methods that answer the step, in the order in which to offer them",
                ]),
            JSON.Member(Codec.Key.expiresIn, ["type": "integer", "description": "Seconds until the step expires"]),
            JSON.Member(
                Codec.Key.rememberDeviceDays,
                ["type": "integer", "description": "Days for which this device can be remembered"]),
            JSON.Member(Codec.Key.proofOfWork, proofOfWorkSchema),
        ]
        return object(properties, required: required, isClosed: false)
    }
}
