#if canImport(Security)
import Dispatch

/// Where the keychain is called: it asks another process, and Swift's threads are not for waiting.
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
