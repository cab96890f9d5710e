/// The administrator on whose behalf a task changes the store, for the events of the changes.
///
/// A task-local value, because every change of an account is an event, and no call of the store is about events. It is set
/// once for each request of an administrator, and is nil for the requests of the accounts themselves.
public enum ChangeActor {
    /// The administrator, as in ``AuditEvent/actor``; `nil` if the account itself or the server makes the change.
    @TaskLocal public static var current: String?
}
