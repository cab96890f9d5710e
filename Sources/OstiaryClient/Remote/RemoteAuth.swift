public import OstiaryContracts
public import OstiaryCore

/// The account operations of an app, performed by its server.
///
/// As an `AuthService` it throws only `AuthError`, and maps a server that cannot be reached to
/// ``OstiaryCore/AuthError/unavailable(incident:)`` without an incident. ``call(_:within:)`` distinguishes the two.
public struct RemoteAuth: Sendable {
    /// The codec of the contract, which writes requests and reads answers.
    public let codec: Codec
    /// The base URL of the app's API.
    public let baseURL: BaseURL
    /// The default time limit of one call.
    public let deadline: Duration
    private let transport: any Transport
    /// The proofs of requests; nil for a client that sends none.
    var proofs: ProofOfPossession?
    /// Attests the app; `nil` for a client that does not.
    let appAttestation: AppAttestation?
    /// The monotonic clock that measures the time limit of a call with several transmissions.
    private let uptime: @Sendable () -> Duration

    /// Creates a client of the account operations.
    ///
    /// - Parameters:
    ///   - baseURL: The URL to which the contract's paths are appended.
    ///   - deadline: The default time limit of one call.
    /// - Throws: ``OstiaryContracts/ContractProblem`` if the contract contradicts itself.
    public init(
        contract: Contract, baseURL: BaseURL, transport: any Transport, deadline: Duration = .seconds(30)
    ) throws(ContractProblem) {
        try self.init(
            contract, baseURL, transport, deadline: deadline, appAttestation: nil,
            uptime: ClientDependencies.system.uptime)
    }

    init(
        _ contract: Contract, _ baseURL: BaseURL, _ transport: any Transport, deadline: Duration,
        appAttestation: AppAttestation?, uptime: @escaping @Sendable () -> Duration
    ) throws(ContractProblem) {
        codec = try Codec(contract)
        self.baseURL = baseURL
        self.transport = transport
        self.deadline = deadline
        self.appAttestation = appAttestation
        self.uptime = uptime
    }

    /// The wire format of the app's API.
    public var contract: Contract { codec.contract }

    /// Performs one operation and returns its typed answer.
    ///
    /// - Parameter deadline: The time limit of this call; nil for ``deadline``.
    /// - Throws: ``RemoteFailure/refused(_:)`` if the server rejects it or its answer cannot be read, with
    ///   ``OstiaryCore/AuthError/notFound`` for an operation that the contract lacks; ``RemoteFailure/unreachable(_:)``
    ///   without an answer.
    public func call<Operation: AuthOperation>(
        _ operation: Operation, within deadline: Duration? = nil
    ) async throws(RemoteFailure) -> Operation.Answer {
        try await call(operation, within: deadline, deviceToken: nil, proof: nil)
    }

    /// A refusal that asks for a computation is answered with its solution, once.
    ///
    /// - Parameters:
    ///   - deviceToken: The secret of this device, for an operation that signs in.
    ///   - proof: The key that the request proves; nil for a request without a proof.
    func call<Operation: AuthOperation>(
        _ operation: Operation, within deadline: Duration?, deviceToken: Secret<String>?, proof: RequestProof?
    ) async throws(RemoteFailure) -> Operation.Answer {
        let (response, key) = try await exchange(operation, within: deadline, deviceToken: deviceToken, proof: proof)
        do { return try read(response, to: Operation.self, provenBy: key) } catch {
            guard case .proofOfWorkRequired(let work, _) = error else { throw .refused(error) }
            let solution = await ProofOfWorkSolver.solve(work)
            if Task.isCancelled { throw .unreachable(.cancelled) }
            guard let solution else { throw .refused(error) }
            let (second, secondKey) = try await exchange(
                operation, within: deadline, deviceToken: deviceToken, proof: proof, proofOfWork: solution)
            do { return try read(second, to: Operation.self, provenBy: secondKey) } catch { throw .refused(error) }
        }
    }

    /// Reads an answer, and keeps the key that the request proved with the token that the server has bound to it.
    ///
    /// - Parameter key: The key of a sign-in; nil for every other request.
    private func read<Operation: AuthOperation>(
        _ response: WireResponse, to type: Operation.Type, provenBy key: SessionKey?
    ) throws(AuthError) -> Operation.Answer {
        do {
            let answer = try codec.read(response, to: type)
            if let key, case .text(let token)? = answer.fields[.accessToken] { proofs?.keep(key, of: Secret(token)) }
            return answer
        } catch {
            if let key, case .challengeRequired(let challenge) = error { proofs?.keep(key, of: challenge.token) }
            throw error
        }
    }

    /// Performs one operation and returns the answer without decoding it.
    ///
    /// - Parameter deadline: The time limit of all transmissions and of the work between them; nil for ``deadline``.
    /// - Returns: The answer, and the key that the request proved if the proof is ``RequestProof/signIn``.
    func exchange<Operation: AuthOperation>(
        _ operation: Operation, within deadline: Duration? = nil, deviceToken: Secret<String>? = nil,
        proof: RequestProof? = nil, proofOfWork: ProofOfWorkSolution? = nil
    ) async throws(RemoteFailure) -> (response: WireResponse, signInKey: SessionKey?) {
        let end = uptime() + (deadline ?? self.deadline)
        var request: WireRequest
        // An operation that the contract lacks is refused with the same error as an unknown path on a server.
        do { request = try codec.write(operation) } catch .lacks { throw .refused(.notFound) } catch {
            throw .refused(.malformedRequest)
        }
        if let proofOfWork { request.headers[ProofOfWorkHeader.name] = proofOfWork.text }
        if let deviceToken { request.headers[DeviceTokenHeader.name] = deviceToken.reveal() }
        func sendOnce(_ request: WireRequest) async throws(RemoteFailure) -> WireResponse {
            do {
                guard Operation.description.needsAppAssertion, let appAttestation else {
                    return try await send(request, until: end)
                }
                return try await appAttestation.send(request, by: self, until: end)
            } catch { throw .unreachable(error) }
        }
        guard let proof, let proofs else { return (try await sendOnce(request), nil) }
        switch proof {
        case .signIn:
            let key: SessionKey
            do { key = try proofs.keyForSignIn(presenting: operation.presentedTokens) } catch {
                throw RemoteFailure(error)
            }
            return (try await proofs.send(request, with: key, failure: RemoteFailure.init, by: sendOnce), key)
        case .session(let key):
            let request = request.withBoundToken()
            return (try await proofs.send(request, with: key, failure: RemoteFailure.init, by: sendOnce), nil)
        }
    }

    /// Sends any request to the app's server, unchanged.
    ///
    /// - Parameter deadline: The time limit of this request; nil for ``deadline``.
    /// - Returns: The answer, regardless of its status.
    /// - Throws: ``TransportError`` if there is no answer.
    public func send(_ request: WireRequest, within deadline: Duration? = nil) async throws(TransportError)
        -> WireResponse
    {
        try await transport.send(request, to: baseURL, within: deadline ?? self.deadline)
    }

    /// Sends a request within the remainder of a time limit.
    ///
    /// - Parameter end: The end of the time limit by ``uptime``.
    /// - Throws: ``TransportError/timedOut`` without sending anything once the time limit has passed.
    func send(_ request: WireRequest, until end: Duration) async throws(TransportError) -> WireResponse {
        let remaining = end - uptime()
        guard remaining > .zero else { throw .timedOut }
        return try await send(request, within: remaining)
    }
}

/// The reason why an operation failed.
public enum RemoteFailure: Error, Hashable, Sendable {
    /// The server rejected the operation.
    case refused(AuthError)
    /// The server gave no answer.
    case unreachable(TransportError)

    /// Maps a key that cannot be used. A session whose key is lost is over, as one that was never bound is where the app
    /// requires it.
    init(_ problem: SessionKeyProblem) {
        self = .refused(problem == .lost ? .dpopRequired : .invalidDPoPProof)
    }
}

extension AuthOperation {
    /// The tokens that name the challenge of a sign-in, or take the place of an access token.
    fileprivate var presentedTokens: [Secret<String>] {
        let fields = self.fields
        return [Field.challengeToken, .accessToken].compactMap { field -> Secret<String>? in
            if case .text(let token)? = fields[field] { Secret(token) } else { nil }
        }
    }
}
