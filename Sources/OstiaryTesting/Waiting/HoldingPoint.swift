/// A place where work under way is held until the test lets it go on: a barrier instead of a sleep.
///
/// ```swift
/// let point = HoldingPoint()
/// transport.on(.refresh(of: .vici), .pass.held(at: point))
/// async let token = client.get("/projects")
/// try await point.arrivals(1)     // the refresh is on its way
/// try await client.signOut()
/// point.open()                    // now its answer comes
/// ```
public final class HoldingPoint: Sendable {
    private struct State: Sendable {
        var arrivals = 0
        var permits = 0
        var isOpen = false
    }

    private let state = Watched(State())

    public init() {}

    /// How many have come here so far, whether or not they have gone on.
    public var arrivals: Int { state.value.arrivals }

    /// Waits until so many have come here, counted from the beginning.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func arrivals(_ count: Int) async throws(CancellationError) {
        try await state.wait { $0.arrivals >= count }
    }

    /// Comes here, and waits to be let go.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func hold() async throws(CancellationError) {
        state.change { $0.arrivals += 1 }
        try await state.wait { state in
            if state.isOpen { return true }
            guard state.permits > 0 else { return false }
            state.permits -= 1
            return true
        }
    }

    /// Lets everyone go who is here or comes later.
    public func open() { state.change { $0.isOpen = true } }

    /// Lets that many go, now or when they come.
    public func release(_ count: Int = 1) { state.change { $0.permits += count } }

    /// Holds those who come from now on.
    public func close() {
        state.change { state in
            state.isOpen = false
            state.permits = 0
        }
    }
}
