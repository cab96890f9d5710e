import Synchronization

/// A public document that is rendered when it is first asked for and kept.
final class RenderedDocument: Sendable {
    private let kept = Mutex<(key: String, bytes: [UInt8])?>(nil)

    /// - Parameters:
    ///   - key: What the document depends on; it is rendered again when that changes.
    ///   - render: Runs once for a key, however many ask at the same time.
    func bytes(for key: String, render: () -> [UInt8]) -> [UInt8] {
        kept.withLock { kept in
            if let kept, kept.key.utf8.elementsEqual(key.utf8) { return kept.bytes }
            let bytes = render()
            kept = (key, bytes)
            return bytes
        }
    }
}
