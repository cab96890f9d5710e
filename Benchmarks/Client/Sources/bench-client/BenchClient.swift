import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import Synchronization

/// Measures a token read, and an authenticated request compared with the same request on the bare transport.
///
///     bench-client http://127.0.0.1:3001/vici
///
/// The server runs in development mode; the benchmark registers an account.
@main
struct BenchClient {
    static func main() async throws {
        guard CommandLine.arguments.count == 2, let url = URL(string: CommandLine.arguments[1]) else { exit(64) }
        let store = CountingStore()
        let transport = URLSessionTransport()
        var options = ClientOptions(store: store, transport: .custom(transport), verifiesAtStart: false)
        options.requests.limit = nil
        let client = try AuthClient(contract: .vici, baseURL: url, options: options)
        try await client.register(
            email: "bench-\(UInt32.random(in: 0 ... .max))@example.com", password: "correct horse 7 battery")
        try await measureTokens(client, store)
        try await measureRequests(client, transport)
    }

    private static func measureTokens(_ client: AuthClient, _ store: CountingStore) async throws {
        let reads = store.reads
        let count = 1_000_000
        let rounds = try await medianOf(5) {
            for _ in 0..<count { _ = try await client.accessToken() }
        }
        let nanoseconds = Int(rounds / Double(count) * 1e9)
        print("a fresh token: \(nanoseconds) ns, \(store.reads - reads) store reads in \(5 * count)")
    }

    private static func measureRequests(_ client: AuthClient, _ transport: URLSessionTransport) async throws {
        let token = try await client.accessToken().reveal()
        let request = WireRequest(
            method: "GET", path: "/api/auth/me",
            headers: [
                "authorization": "Bearer \(token)", "accept": "application/json", "content-type": "application/json",
            ])
        // As many as the server accepts from one address in a minute.
        var bare: [Double] = []
        var signedIn: [Double] = []
        for round in 0..<240 {
            let one = try await seconds {
                _ = try await transport.send(request, to: client.baseURL, within: .seconds(9))
            }
            let other = try await seconds { let _: Me = try await client.get("/api/auth/me") }
            guard round >= 40 else { continue }
            bare.append(one)
            signedIn.append(other)
        }
        let (plain, whole) = (median(bare), median(signedIn))
        print(
            "a request: \(Int(plain * 1e6)) µs bare, \(Int(whole * 1e6)) µs by the client, "
                + "\(((whole / plain - 1) * 1000).rounded() / 10) % more (medians of \(bare.count))")
    }

    private struct Me: Decodable { let email: String }

    private static func seconds(_ body: () async throws -> Void) async throws -> Double {
        let start = ContinuousClock.now
        try await body()
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    private static func medianOf(_ rounds: Int, _ body: () async throws -> Void) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<rounds { times.append(try await seconds(body)) }
        return median(times)
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// A session store in memory that counts its reads.
final class CountingStore: SessionStore {
    private let store = MemorySessionStore()
    private let count = Mutex(0)
    var reads: Int { count.withLock { $0 } }

    func read() async -> StoredSessions {
        count.withLock { $0 += 1 }
        return await store.read()
    }

    func change<Result: Sendable>(
        _ change: @Sendable (inout SavedSessions) -> Result
    ) async throws(StoreProblem) -> Result { try await store.change(change) }

    func refreshLease() async throws(StoreProblem) -> any RefreshLease { UnsharedRefreshLease() }
}
