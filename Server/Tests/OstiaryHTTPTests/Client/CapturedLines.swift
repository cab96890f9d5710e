import OstiaryClient
import Synchronization
import Testing

/// The textual output of devices while a test runs: lines of their logs, and the descriptions that a debugger would
/// print.
final class CapturedLines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ line: String) { lines.withLock { $0.append(line) } }

    /// Records the descriptions of a client, and of each of its states and events.
    func dump(_ client: AuthClient) {
        var text = ""
        Swift.dump(client, to: &text)
        add(text)
        Task { [states = client.states, weak self] in
            for await state in states {
                var text = "\(state) "
                Swift.dump(state, to: &text)
                self?.add(text)
            }
        }
    }

    func expectNone(of secrets: Set<String>) {
        let all = SearchedText(lines.withLock { $0.joined(separator: "\n") })
        #expect(all.contains("registered"), "the log says nothing")
        #expect(!secrets.isEmpty)
        for secret in secrets where secret.utf8.count >= 6 {
            if all.contains(secret) { Issue.record("a secret of \(secret.utf8.count) bytes") }
        }
    }
}

/// A text of some megabytes in which thousands of secrets are searched. Most have four bytes in a row that the text has not, and are not
/// searched further.
private struct SearchedText {
    private let text: String
    /// A bit for each hash of four bytes in a row, of 2^24.
    private var isPresent = [UInt64](repeating: 0, count: 1 << 18)

    init(_ text: String) {
        self.text = text
        Self.forEachHash(of: text) { hash in
            isPresent[hash / 64] |= 1 << UInt64(hash % 64)
            return true
        }
    }

    func contains(_ part: String) -> Bool {
        var mayContain = true
        Self.forEachHash(of: part) { hash in
            mayContain = isPresent[hash / 64] & 1 << UInt64(hash % 64) != 0
            return mayContain
        }
        return mayContain && text.contains(part)
    }

    /// - Parameter body: Called for the hash of each four bytes in a row, until it returns `false`.
    private static func forEachHash(of text: String, _ body: (Int) -> Bool) {
        var last: UInt32 = 0
        for (index, byte) in text.utf8.enumerated() {
            last = last << 8 | UInt32(byte)
            guard index >= 3 else { continue }
            guard body(Int((last &* 2_654_435_761) >> 8)) else { return }
        }
    }
}
