public import OstiaryClient
public import OstiaryContracts
public import OstiaryCore

/// The behavior of a scripted network for one request.
public struct Reaction: Sendable {
    /// One request that a client sent.
    public typealias Call = ScriptedTransport.Call
    /// A function that sends a request to the server or closure behind the scripted network.
    public typealias Forward = @Sendable (Call) async throws(TransportError) -> WireResponse

    let react: @Sendable (Call, Forward) async throws(TransportError) -> WireResponse

    /// Creates a reaction from a closure.
    ///
    /// - Parameter react: Answers the request itself, or calls the given function to forward it.
    public init(_ react: @escaping @Sendable (Call, Forward) async throws(TransportError) -> WireResponse) {
        self.react = react
    }

    // MARK: Answers

    /// The reaction that forwards the request and returns its answer.
    public static let pass = Reaction { call, forward throws(TransportError) in try await forward(call) }

    /// Returns an answer without forwarding the request.
    public static func answer(_ response: WireResponse) -> Reaction {
        Reaction { _, _ throws(TransportError) in response }
    }

    /// Returns the answer or the error of a closure, without forwarding the request.
    public static func answer(
        _ answer: @escaping @Sendable (Call) async throws(TransportError) -> WireResponse
    ) -> Reaction {
        Reaction { call, _ throws(TransportError) in try await answer(call) }
    }

    /// Returns an answer with a status and a text, from a server or from a proxy in front of it.
    public static func status(_ status: Int, headers: [String: String] = [:], body: String = "") -> Reaction {
        .answer(WireResponse(status: status, headers: headers, body: Array(body.utf8)))
    }

    /// Returns an answer with a JSON text as its body; the text is not checked.
    public static func json(_ text: String, status: Int = 200) -> Reaction {
        .status(status, headers: ["content-type": "application/json"], body: text)
    }

    /// Returns the refusal as the contract writes it; a bare status 500 for an invalid contract.
    public static func refusal(_ error: AuthError, of contract: Contract) -> Reaction {
        .answer((try? Codec(contract).write(error)) ?? WireResponse(status: 500))
    }

    // MARK: Failures

    /// Fails without forwarding the request.
    public static func failure(_ error: TransportError) -> Reaction {
        Reaction { _, _ throws(TransportError) in throw error }
    }

    /// A failure to open a connection.
    public static let offline = failure(.offline)
    /// A connection that breaks before the server has received the request. The client cannot distinguish this from
    /// ``lost``.
    public static let dropped = failure(.connectionLost)
    /// A deadline that passes before the server has received the request. The clock does not move.
    public static let timedOut = failure(.timedOut)

    // MARK: Variations

    /// Performs this reaction, and throws an error to the client in place of the answer.
    public func failing(with error: TransportError) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in
            _ = try await react(call, forward)
            throw error
        }
    }

    /// The same reaction, with a connection that breaks after the server has processed the request and before the
    /// answer arrives.
    public var lost: Reaction { failing(with: .connectionLost) }

    /// Performs this reaction, and changes the answer.
    public func changed(_ change: @escaping @Sendable (WireResponse) -> WireResponse) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in change(try await react(call, forward)) }
    }

    /// The same reaction, with the second half of the answer's body cut off.
    public var corrupted: Reaction {
        changed { response in
            var response = response
            response.body.removeLast((response.body.count + 1) / 2)
            return response
        }
    }

    /// Holds the request at `point` before this reaction. A cancelled request fails there with
    /// `TransportError.cancelled`.
    public func held(at point: HoldingPoint) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in
            do { try await point.hold() } catch { throw .cancelled }
            return try await react(call, forward)
        }
    }

    /// Holds the answer, or the failure, at `point` on its way back. A cancelled request fails with
    /// `TransportError.cancelled`.
    public func answerHeld(at point: HoldingPoint) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in
            let outcome: Result<WireResponse, TransportError>
            do throws(TransportError) { outcome = .success(try await react(call, forward)) } catch {
                outcome = .failure(error)
            }
            do { try await point.hold() } catch { throw .cancelled }
            return try outcome.get()
        }
    }

    /// Runs an action of the test before this reaction.
    public func after(_ action: @escaping @Sendable (Call) async -> Void) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in
            await action(call)
            return try await react(call, forward)
        }
    }
}
