#if canImport(Security)
import Dispatch

/// The dispatch queue for calls to the keychain. They block on another process, and must not occupy a thread of Swift's
/// cooperative pool.
final class KeychainQueue: Sendable {
    private let queue = DispatchQueue(label: "ostiary.keychain")

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreProblem) -> Value
    ) async throws(StoreProblem) -> Value {
        let result: Result<Value, StoreProblem> = await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: Result { () throws(StoreProblem) in try body() })
            }
        }
        return try result.get()
    }
}
#endif
