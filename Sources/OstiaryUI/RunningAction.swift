/// An action under way. Whoever drops it cancels it.
struct RunningAction {
    /// Tells it from the next of its kind.
    let number: Int
    let held: HeldTask
}

/// A task that is cancelled when nobody holds it any more.
final class HeldTask: Sendable {
    let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
}
