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
        let all = lines.withLock { $0.joined(separator: "\n") }
        #expect(all.contains("registered"), "the log says nothing")
        #expect(!secrets.isEmpty)
        for secret in secrets where secret.utf8.count >= 6 {
            #expect(!all.contains(secret), "a secret of \(secret.utf8.count) bytes")
        }
    }
}
