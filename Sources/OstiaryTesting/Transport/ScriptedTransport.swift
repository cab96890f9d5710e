public import OstiaryClient
public import OstiaryContracts

/// A network that is controlled by the test: it answers, loses, holds and records requests.
///
/// Behind it is a closure, or another transport such as a ``TestServer``, to which it forwards requests without a rule.
/// The first matching rule that is not used up applies, in the order in which rules were added.
///
/// ```swift
/// let network = ScriptedTransport(server)
/// network.on(.refresh(of: .vici), .status(503), times: 2)
/// network.on(.refresh(of: .vici), .pass.lost, times: 1)    // the server has done it, the answer never comes
/// ```
public final class ScriptedTransport: Transport {
    private struct Rule: Sendable {
        let matcher: RequestMatcher
        let reaction: Reaction
        var left: Int?
    }

    private struct State: Sendable {
        var calls: [Call] = []
        var rules: [Rule] = []

        mutating func reaction(to call: Call) -> Reaction {
            guard let index = rules.firstIndex(where: { $0.left != 0 && $0.matcher.matches(call) }) else {
                return .pass
            }
            if let left = rules[index].left { rules[index].left = left - 1 }
            return rules[index].reaction
        }
    }

    private let state = Watched(State())
    private let behind: Reaction.Forward
    private let enforcesPins: @Sendable (PinSet) -> Bool

    /// Creates a network in front of a closure. It enforces all pins.
    ///
    /// - Parameter answer: Answers the requests that no rule matches.
    public init(_ answer: @escaping @Sendable (Call) async throws(TransportError) -> WireResponse) {
        behind = answer
        // No pin can be violated, because no server is reached.
        enforcesPins = { _ in true }
    }

    /// Creates a network in front of another transport, which also decides about pins.
    ///
    /// - Parameter transport: Carries the requests that no rule matches.
    public init(_ transport: any Transport) {
        behind = { call throws(TransportError) in
            try await transport.send(call.request, to: call.baseURL, within: call.deadline)
        }
        enforcesPins = { transport.enforces($0) }
    }

    // MARK: The script

    /// Adds a rule after the rules there are.
    ///
    /// - Parameters:
    ///   - matcher: The requests to which the rule applies.
    ///   - reaction: The network's behavior for them.
    ///   - times: The number of requests the rule applies to; `nil` for all.
    public func on(_ matcher: RequestMatcher, _ reaction: Reaction, times: Int? = nil) {
        state.change { $0.rules.append(Rule(matcher: matcher, reaction: reaction, left: times)) }
    }

    /// Removes all rules. Requests under way are not affected.
    public func removeRules() { state.change { $0.rules.removeAll() } }

    // MARK: Recorded requests

    /// Every request so far, in the order in which they began.
    public var calls: [Call] { state.value.calls }

    /// Returns the recorded requests that match, in the order in which they began.
    public func calls(_ matcher: RequestMatcher) -> [Call] { calls.filter(matcher.matches) }

    /// Waits until at least `count` matching requests have begun, counted from the beginning.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func calls(_ count: Int, _ matcher: RequestMatcher = .any) async throws(CancellationError) {
        try await state.wait { state in state.calls.count(where: matcher.matches) >= count }
    }

    /// Records the request and performs the first matching rule's reaction, or forwards the request.
    ///
    /// - Throws: `TransportError.cancelled` if the task is already cancelled; the request is then not recorded.
    ///   Otherwise the error of the reaction.
    public func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        if Task.isCancelled { throw .cancelled }
        let (call, reaction) = state.change { state in
            let call = Call(number: state.calls.count + 1, request: request, baseURL: baseURL, deadline: deadline)
            state.calls.append(call)
            return (call, state.reaction(to: call))
        }
        return try await reaction.react(call, behind)
    }

    /// Returns `true` if the transport behind the network enforces the pins; always `true` in front of a closure.
    public func enforces(_ pins: PinSet) -> Bool { enforcesPins(pins) }
}
