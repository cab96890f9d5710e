public import OstiaryCore

extension Codec {
    // MARK: Server

    /// Returns the answer for a refusal, with the contract's own error body.
    ///
    /// - Parameter kind: The requested operation, if known. It determines the spelling of a field in the message, and
    ///   prevents the message from suggesting a retry if the first attempt has consumed the credential.
    public func write(_ error: AuthError, to kind: OperationKind? = nil) -> WireResponse {
        var members: [JSON.Member] = []
        if let envelope = contract.envelope { members.append(JSON.Member(envelope.successKey, false)) }
        members.append(JSON.Member(contract.failureKey, .string(text(of: error, to: kind))))
        members.append(JSON.Member(Key.code, .string(error.code)))
        var response = WireResponse(status: error.status)
        switch error {
        case .tooManyAttempts(let seconds), .busy(let seconds):
            members.append(JSON.Member(Key.retryAfter, .integer(seconds)))
            response.headers["retry-after"] = String(seconds)
        case .proofOfWorkRequired(let work, let seconds):
            members.append(JSON.Member(Key.retryAfter, .integer(seconds)))
            members.append(JSON.Member(Key.proofOfWork, Self.json(work)))
            response.headers["retry-after"] = String(seconds)
        case .unavailable(let incident):
            if let incident { members.append(JSON.Member(Key.incident, .string(incident))) }
            response.headers["retry-after"] = "5"
        case .invalid(_, let problem), .invalidAttribute(_, let problem): members += Self.limit(of: problem)
        case .challengeRequired(let challenge):
            members.append(JSON.Member(Key.challenge, .string(challenge.name)))
            members += Self.members(challenge)
        case .stepUpRequired(let requirement):
            if let challenge = requirement.challenge { members += Self.members(challenge) }
        case .useDPoPNonce(let nonce): response.headers[DPoPHeader.nonce] = nonce
        default: break
        }
        response.headers["www-authenticate"] = error.challenge
        return json(members, in: response)
    }

    private static func limit(of problem: FieldProblem) -> [JSON.Member] {
        switch problem {
        case .tooShort(let minimum): [JSON.Member(Key.minimum, .integer(minimum))]
        case .tooLong(let maximum), .tooMany(let maximum): [JSON.Member(Key.maximum, .integer(maximum))]
        default: []
        }
    }

    private static func json(_ work: ProofOfWork) -> JSON {
        [Key.challenge: .string(work.challenge), Key.bits: .integer(work.bits)]
    }

    private static func members(_ challenge: Challenge) -> [JSON.Member] {
        var members = [JSON.Member(Key.challengeToken, .string(challenge.token.reveal()))]
        if !challenge.methods.isEmpty {
            members.append(JSON.Member(Key.methods, .array(challenge.methods.map { .string($0.rawValue) })))
        }
        if let seconds = challenge.expiresInSeconds { members.append(JSON.Member(Key.expiresIn, .integer(seconds))) }
        if let days = challenge.rememberDeviceDays {
            members.append(JSON.Member(Key.rememberDeviceDays, .integer(days)))
        }
        return members
    }

    /// Returns the answer for a request that could not be read as an operation.
    ///
    /// - Parameter request: The request, if available, which identifies the operation.
    public func write(_ refusal: WireRefusal, to request: WireRequest? = nil) -> WireResponse {
        switch refusal {
        case .refused(let error): return write(error, to: request.flatMap { try? route($0).kind })
        case .unknownPath: return write(.notFound)
        case .wrongMethod(let allowed):
            var response = write(405, .method, "This path takes \(allowed.joined(separator: ", ")).")
            response.headers["allow"] = allowed.joined(separator: ", ")
            return response
        case .bodyTooLarge: return write(413, .size, "The body is too large.")
        case .unsupportedMediaType:
            return write(415, .mediaType, "The body must be application/json in UTF-8.")
        }
    }

    private func write(_ status: Int, _ reason: Refused, _ text: String) -> WireResponse {
        write(status, code: reason.rawValue, text)
    }

    /// Returns the answer for a request that is too malformed to be read as one of the contract's.
    public func write(_ status: Int, code: String, _ text: String) -> WireResponse {
        var members: [JSON.Member] = []
        if let envelope = contract.envelope { members.append(JSON.Member(envelope.successKey, false)) }
        members.append(JSON.Member(contract.failureKey, .string(contract.messages[code] ?? text)))
        members.append(JSON.Member(Key.code, .string(code)))
        return json(members, in: WireResponse(status: status))
    }

    /// The keys of an error body, besides the contract's own.
    enum Key {
        static let code = "code"
        static let retryAfter = "retry_after"
        static let incident = "incident"
        static let minimum = "minimum"
        static let maximum = "maximum"
        static let challenge = "challenge"
        static let challengeToken = "challenge_token"
        static let methods = "methods"
        static let expiresIn = "expires_in"
        static let rememberDeviceDays = "remember_device_days"
        static let proofOfWork = "proof_of_work"
        static let bits = "bits"
        static let all = [
            code, retryAfter, incident, minimum, maximum, challenge, challengeToken, methods, expiresIn,
            rememberDeviceDays, proofOfWork,
        ]
    }

    /// Returns `true` if a refusal with that code exists.
    static func isCode(_ code: String) -> Bool {
        let details = RefusalDetails(
            retryAfterSeconds: 0, challenge: Challenge(name: "", token: Secret("")),
            proofOfWork: ProofOfWork(challenge: "", bits: 0))
        return Refused.allCases.contains { $0.rawValue == code } || AuthError(code: code, details) != nil
    }

    /// The codes of requests that could not be read as an operation.
    private enum Refused: String, CaseIterable {
        case method = "method_not_allowed"
        case size = "body_too_large"
        case mediaType = "unsupported_media_type"
    }

    // MARK: Client

    /// Returns the refusal that an answer carries. An answer without a code, as from an app's original backend, is
    /// classified by its status.
    func readRefusal(_ response: WireResponse, of kind: OperationKind) -> AuthError {
        let body = (try? JSON.read(response.body)) ?? .null
        var details = RefusalDetails(retryAfterSeconds: RetryAfter.seconds(in: response) ?? 1)
        if case .integer(let seconds) = body[Key.retryAfter] {
            details.retryAfterSeconds = min(max(0, seconds), RetryAfter.maximumSeconds)
        }
        if case .string(let incident) = body[Key.incident], !incident.isEmpty { details.incident = incident }
        if case .integer(let minimum) = body[Key.minimum] { details.limit = minimum }
        if case .integer(let maximum) = body[Key.maximum] { details.limit = maximum }
        details.challenge = Self.challenge(in: body)
        details.proofOfWork = Self.proofOfWork(in: body)
        details.stepUp = StepUpRequirement(
            challenge: details.challenge, header: response.headers["www-authenticate"] ?? "")
        details.nonce = DPoPHeader.nonce(in: response) ?? ""
        if case .string(let code) = body[Key.code] {
            if let error = AuthError(code: code, details) { return error }
            if response.status == 400, kind.description.takesAttributes,
                let error = AuthError(attributeCode: code, limit: details.limit)
            {
                return error
            }
        }
        switch response.status {
        case 401: return kind.description.unauthorized
        case 403: return .forbidden
        case 409: return .identifierTaken
        case 429: return .tooManyAttempts(retryAfterSeconds: details.retryAfterSeconds)
        case 408, 425, 500...: return .unavailable(incident: details.incident)
        default:
            guard case .string(let message) = body[contract.failureKey] else { return Self.unreadable(response) }
            return .rejected(status: response.status, message: message)
        }
    }

    /// Returns the stable code in the body of a refusal; nil if it has none.
    package func code(in response: WireResponse) -> String? {
        guard case .string(let code)? = (try? JSON.read(response.body))?[Key.code] else { return nil }
        return code
    }

    /// The maximum number of methods that are read from a challenge.
    private static let maximumMethods = 32

    /// Returns the computation of an error body; nil if it has none.
    private static func proofOfWork(in body: JSON) -> ProofOfWork? {
        guard let work = body[Key.proofOfWork], case .string(let challenge) = work[Key.challenge],
            challenge.isShortASCII(atMost: ProofOfWorkHeader.maximumBytes),
            case .integer(let bits) = work[Key.bits], bits >= 0
        else { return nil }
        return ProofOfWork(challenge: challenge, bits: bits)
    }

    /// Returns the challenge of an error body; nil if it has none. A step-up's has no name.
    private static func challenge(in body: JSON) -> Challenge? {
        guard case .string(let token) = body[Key.challengeToken] else { return nil }
        var challenge = Challenge(name: Challenge.stepUp, token: Secret(token))
        if case .string(let name) = body[Key.challenge] { challenge.name = name }
        if case .array(let methods) = body[Key.methods] {
            challenge.methods = methods.prefix(maximumMethods).compactMap { method in
                guard case .string(let text) = method else { return nil }
                return ChallengeMethod(rawValue: text)
            }
        }
        if case .integer(let seconds) = body[Key.expiresIn] { challenge.expiresInSeconds = seconds }
        if case .integer(let days) = body[Key.rememberDeviceDays], days > 0 { challenge.rememberDeviceDays = days }
        return challenge
    }
}
