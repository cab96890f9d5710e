/// An action under way. Releasing it cancels the task.
struct RunningAction {
    /// A number that distinguishes this run from a later run of the same action.
    let number: Int
    let held: AutoCancellingTask
}

/// A task that is cancelled when its last reference is released.
final class AutoCancellingTask: Sendable {
    let task: Task<Void, Never>
    init(_ task: Task<Void, Never>) { self.task = task }
    deinit { task.cancel() }
}
