import CHeap
import Foundation
import OstiaryClient
import OstiaryContracts

/// The bytes of the heap that are in use after many requests more than before. The transport answers itself: what
/// URLSession keeps is not the client's.
struct HeapGrowth {
    let client: AuthClient
    let transport: CannedTransport

    private static let requests = 100_000

    func measure() async throws {
        transport.answer(
            with: WireResponse(
                status: 200, headers: ["content-type": "application/json"],
                body: Array(#"{"email":"a@example.com"}"#.utf8)))
        defer { transport.answer(with: nil) }
        // Caches fill up in these.
        try await send(Self.requests / 10)
        let before = heap_bytes_in_use()
        let watch = Stopwatch()
        try await send(Self.requests)
        let microseconds = watch.reading.processorSeconds / Double(Self.requests) * 1e6
        let grown = Int(heap_bytes_in_use()) - Int(before)
        print(
            "the heap after \(Self.requests) requests: \(grown) bytes more, "
                + "\((microseconds * 10).rounded() / 10) µs of CPU time each without a transport")
    }

    private func send(_ count: Int) async throws {
        for _ in 0..<count { let _: Me = try await client.get("/api/auth/me") }
    }
}
