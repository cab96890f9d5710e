/// A barrier at which work under way is held until the test releases it, in place of a sleep.
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

    /// Creates a closed point.
    public init() {}

    /// The number of arrivals so far, released or not.
    public var arrivals: Int { state.value.arrivals }

    /// Waits until at least `count` tasks have arrived, counted from the beginning.
    ///
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    public func arrivals(_ count: Int) async throws(CancellationError) {
        try await state.wait { $0.arrivals >= count }
    }

    /// Arrives at the point and waits for the release.
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

    /// Releases every waiting task, and lets later ones pass.
    public func open() { state.change { $0.isOpen = true } }

    /// Releases `count` tasks, waiting now or arriving later.
    public func release(_ count: Int = 1) { state.change { $0.permits += count } }

    /// Holds the tasks that arrive from now on, and withdraws unused releases.
    public func close() {
        state.change { state in
            state.isOpen = false
            state.permits = 0
        }
    }
}
