import OstiaryClient

/// The time that a token of a fresh session takes, and how often the store is read for it.
struct TokenReads {
    let client: AuthClient
    let store: CountingStore

    func measure() async throws {
        let reads = store.reads
        let count = 1_000_000
        var rounds: [Double] = []
        for _ in 0..<5 {
            let watch = Stopwatch()
            for _ in 0..<count { _ = try await client.accessToken() }
            rounds.append(watch.reading.seconds)
        }
        let nanoseconds = Int(median(rounds) / Double(count) * 1e9)
        print("a fresh token: \(nanoseconds) ns, \(store.reads - reads) store reads in \(5 * count)")
    }
}
