import Foundation
import OstiaryClient
import OstiaryMetrics

/// A program that counts what its client does.
@main
struct Counted {
    static func main() async throws {
        guard let url = URL(string: "http://127.0.0.1:3001/vici") else { return }
        let auth = try AuthClient(contract: .vici, baseURL: url)
        let metrics = ClientMetrics()
        let counting = Task { await metrics.watch(auth.events) }
        counting.cancel()
    }
}
