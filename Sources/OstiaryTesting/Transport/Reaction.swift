public import OstiaryClient
public import OstiaryContracts
public import OstiaryCore

/// What a scripted network does with a request.
public struct Reaction: Sendable {
    public typealias Call = ScriptedTransport.Call
    /// Brings a request to whatever is behind the scripted network.
    public typealias Forward = @Sendable (Call) async throws(TransportError) -> WireResponse

    let react: @Sendable (Call, Forward) async throws(TransportError) -> WireResponse

    /// - Parameter react: Given the request and the way on.
    public init(_ react: @escaping @Sendable (Call, Forward) async throws(TransportError) -> WireResponse) {
        self.react = react
    }

    // MARK: Answers

    /// The request goes on, and its answer comes back.
    public static let pass = Reaction { call, forward throws(TransportError) in try await forward(call) }

    public static func answer(_ response: WireResponse) -> Reaction {
        Reaction { _, _ throws(TransportError) in response }
    }

    public static func answer(
        _ answer: @escaping @Sendable (Call) async throws(TransportError) -> WireResponse
    ) -> Reaction {
        Reaction { call, _ throws(TransportError) in try await answer(call) }
    }

    /// An answer of a status and a text, from a server or from a proxy in front of it.
    public static func status(_ status: Int, headers: [String: String] = [:], body: String = "") -> Reaction {
        .answer(WireResponse(status: status, headers: headers, body: Array(body.utf8)))
    }

    public static func json(_ text: String, status: Int = 200) -> Reaction {
        .status(status, headers: ["content-type": "application/json"], body: text)
    }

    /// The refusal as a contract spells it; a bare status 500 for a contract that contradicts itself.
    public static func refusal(_ error: AuthError, of contract: Contract) -> Reaction {
        .answer((try? Codec(contract).write(error)) ?? WireResponse(status: 500))
    }

    // MARK: Failures

    /// No answer, and the request goes nowhere.
    public static func failure(_ error: TransportError) -> Reaction {
        Reaction { _, _ throws(TransportError) in throw error }
    }

    /// No connection is opened.
    public static let offline = failure(.offline)
    /// The connection breaks before the server has the request. The client cannot tell.
    public static let dropped = failure(.connectionLost)
    /// The deadline passes before the server has the request, without any time passing.
    public static let timedOut = failure(.timedOut)

    // MARK: Variations

    /// The same, but the client gets that error in place of the answer.
    public func failing(with error: TransportError) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in
            _ = try await react(call, forward)
            throw error
        }
    }

    /// The server has done what was asked, and the connection breaks before the answer comes.
    public var lost: Reaction { failing(with: .connectionLost) }

    /// The same with another answer.
    public func changed(_ change: @escaping @Sendable (WireResponse) -> WireResponse) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in change(try await react(call, forward)) }
    }

    /// The answer's body is cut in half.
    public var corrupted: Reaction {
        changed { response in
            var response = response
            response.body.removeLast((response.body.count + 1) / 2)
            return response
        }
    }

    /// The request is held before it goes anywhere. A cancelled one ends there.
    public func held(at point: HoldingPoint) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in
            do { try await point.hold() } catch { throw .cancelled }
            return try await react(call, forward)
        }
    }

    /// The answer, or the failure, is held on its way back. A cancelled request gets none.
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

    /// Something of the test's own happens before.
    public func after(_ action: @escaping @Sendable (Call) async -> Void) -> Reaction {
        Reaction { [react] call, forward throws(TransportError) in
            await action(call)
            return try await react(call, forward)
        }
    }
}
