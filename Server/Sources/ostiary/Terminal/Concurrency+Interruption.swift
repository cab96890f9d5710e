import UnixSignals

/// Runs `body`, and cancels its task when the program is asked to end (Ctrl-C, SIGTERM, SIGHUP), so that it can stop in
/// a consistent state.
func cancelledWhenInterrupted<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    let work = Task { try await body() }
    let watch = Task {
        for await _ in signals { work.cancel() }
    }
    defer { watch.cancel() }
    return try await work.value
}
