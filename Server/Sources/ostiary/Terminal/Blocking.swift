import Foundation

/// Runs what blocks, such as reading what a person types, on a thread of its own. The threads of Swift's pool are as few as
/// processors, and the client's own tasks need them meanwhile.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
}
