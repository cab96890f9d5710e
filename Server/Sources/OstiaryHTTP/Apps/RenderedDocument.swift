import Synchronization

/// A cached public document, rendered on first use.
final class RenderedDocument: Sendable {
    private let kept = Mutex<(key: String, bytes: [UInt8])?>(nil)

    /// - Parameters:
    ///   - key: The input that the document depends on; a changed key renders it again.
    ///   - render: Runs once a key, however many callers ask concurrently.
    func bytes(for key: String, render: () -> [UInt8]) -> [UInt8] {
        kept.withLock { kept in
            if let kept, kept.key.utf8.elementsEqual(key.utf8) { return kept.bytes }
            let bytes = render()
            kept = (key, bytes)
            return bytes
        }
    }
}
