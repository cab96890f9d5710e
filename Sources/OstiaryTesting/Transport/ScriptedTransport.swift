public import OstiaryClient
public import OstiaryContracts

/// A network that does what the test says: it answers requests, loses them, holds them, and remembers them.
///
/// Behind it is a closure, or another transport such as a ``TestServer``, to which it passes what no rule is for. Rules
/// are tried in the order in which they were added; one that has been used as often as it may be is skipped.
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

    /// - Parameter answer: Answers what no rule is for.
    public init(_ answer: @escaping @Sendable (Call) async throws(TransportError) -> WireResponse) {
        behind = answer
        // Whatever it is told to trust, it reaches nobody.
        enforcesPins = { _ in true }
    }

    /// - Parameter transport: Carries what no rule is for.
    public init(_ transport: any Transport) {
        behind = { call throws(TransportError) in
            try await transport.send(call.request, to: call.baseURL, within: call.deadline)
        }
        enforcesPins = { transport.enforces($0) }
    }

    // MARK: The script

    /// - Parameter times: How often the rule may be used; nil for always.
    public func on(_ matcher: RequestMatcher, _ reaction: Reaction, times: Int? = nil) {
        state.change { $0.rules.append(Rule(matcher: matcher, reaction: reaction, left: times)) }
    }

    /// Forgets all rules. Requests under way are not touched.
    public func removeRules() { state.change { $0.rules.removeAll() } }

    // MARK: What was asked

    /// Every request so far, in the order of their beginning.
    public var calls: [Call] { state.value.calls }

    public func calls(_ matcher: RequestMatcher) -> [Call] { calls.filter(matcher.matches) }

    /// Waits until so many such requests have begun, counted from the beginning.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func calls(_ count: Int, _ matcher: RequestMatcher = .any) async throws(CancellationError) {
        try await state.wait { state in state.calls.count(where: matcher.matches) >= count }
    }

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

    public func enforces(_ pins: PinSet) -> Bool { enforcesPins(pins) }
}
