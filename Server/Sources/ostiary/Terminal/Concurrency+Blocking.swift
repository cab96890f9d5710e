import Foundation

/// Runs a blocking call, such as reading a person's input, on a thread of its own. Swift's thread pool has only as many
/// threads as there are processors, and the client's own tasks need them meanwhile.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
