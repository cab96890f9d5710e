public import OstiaryContracts
public import OstiaryCore

/// The account operations of an app, done by its server.
///
/// As an `AuthService` it throws nothing but `AuthError`, in which a server that cannot be reached is
/// ``OstiaryCore/AuthError/unavailable(incident:)`` without an incident. ``call(_:within:)`` tells the two apart.
public struct RemoteAuth: Sendable {
    public let codec: Codec
    public let baseURL: BaseURL
    /// What a call takes at most.
    public let deadline: Duration
    private let transport: any Transport

    /// - Throws: ``OstiaryContracts/ContractProblem`` if the contract contradicts itself.
    public init(
        contract: Contract, baseURL: BaseURL, transport: any Transport, deadline: Duration = .seconds(30)
    ) throws(ContractProblem) {
        codec = try Codec(contract)
        self.baseURL = baseURL
        self.transport = transport
        self.deadline = deadline
    }

    public var contract: Contract { codec.contract }

    /// Does one operation.
    ///
    /// - Parameter deadline: Nil for ``deadline``.
    public func call<Operation: WireOperation>(
        _ operation: Operation, within deadline: Duration? = nil
    ) async throws(RemoteFailure) -> Operation.Answer {
        let response = try await exchange(operation, within: deadline)
        do { return try codec.read(response, to: Operation.self) } catch { throw .refused(error) }
    }

    /// Does one operation, and hands the answer over unread.
    func exchange<Operation: WireOperation>(
        _ operation: Operation, within deadline: Duration? = nil
    ) async throws(RemoteFailure) -> WireResponse {
        let request: WireRequest
        // An operation that the contract lacks is refused as a server would refuse its path.
        do { request = try codec.write(operation) } catch { throw .refused(.notFound) }
        do { return try await send(request, within: deadline) } catch { throw .unreachable(error) }
    }

    /// Sends a request of any kind to the app's server, as it is.
    ///
    /// - Parameter deadline: Nil for ``deadline``.
    public func send(_ request: WireRequest, within deadline: Duration? = nil) async throws(TransportError)
        -> WireResponse
    {
        try await transport.send(request, to: baseURL, within: deadline ?? self.deadline)
    }
}

/// Why an operation did not succeed.
public enum RemoteFailure: Error, Hashable, Sendable {
    /// The server said no.
    case refused(AuthError)
    /// The server said nothing.
    case unreachable(TransportError)
}
