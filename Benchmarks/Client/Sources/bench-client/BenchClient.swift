import Foundation
import OstiaryClient

/// Measures what the client costs: a token read, an authenticated request compared with the same request on the bare
/// transport, a start with a stored session, and the growth of the heap.
///
///     bench-client http://127.0.0.1:3001/vici DIRECTORY
///
/// The server has no rate limits; the benchmark registers an account. The directory is empty.
@main
struct BenchClient {
    static func main() async throws {
        let start = Stopwatch()
        let words = CommandLine.arguments.dropFirst()
        guard words.count == 2 || words.count == 3, let url = URL(string: words[1]) else { exit(64) }
        let cold = ColdStart(url: url, directory: words[2])
        if words.count == 3 {
            try await cold.start(since: start)
            return
        }
        let store = CountingStore()
        let transport = CannedTransport(URLSessionTransport())
        var options = ClientOptions(store: store, transport: .custom(transport), verifiesAtStart: false)
        options.requests.limit = nil
        let client = try AuthClient(contract: .vici, baseURL: url, options: options)
        let email = "bench-\(UInt32.random(in: 0 ... .max))@example.com"
        try await client.register(email: email, password: "correct horse 7 battery")
        try await TokenReads(client: client, store: store).measure()
        try await RequestCosts(client: client, transport: transport.transport).measure()
        try await HeapGrowth(client: client, transport: transport).measure()
        try await cold.measure(email: email, password: "correct horse 7 battery")
    }
}

struct Me: Decodable {
    let email: String
}
