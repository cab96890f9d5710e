/// Exponential backoff with jitter: each delay is twice the previous one, up to a limit, times a random factor from 0.5
/// to 1.
struct Backoff {
    private let first: Duration
    private let longest: Duration
    private var count = 0

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    mutating func next() -> Duration {
        defer { count += 1 }
        let whole = min(longest, first * (1 << min(count, 16)))
        return whole * Double.random(in: 0.5...1)
    }
}
