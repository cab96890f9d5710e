/// Runs `body` with a time limit. At the limit it is cancelled, and has to respond to cancellation.
///
/// - Throws: The error of `body`, or `problem` when the time is up.
func withDeadline<Value: Sendable>(
    _ time: Duration, orThrow problem: some Error, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        defer { group.cancelAll() }
        group.addTask(operation: body)
        group.addTask {
            try await Task.sleep(for: time)
            throw problem
        }
        guard let value = try await group.next() else { throw problem }
        return value
    }
}
