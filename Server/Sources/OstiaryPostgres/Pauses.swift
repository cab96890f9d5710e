/// How long to wait before trying again: twice as long each time, and by chance less, so that not all try at once.
struct Pauses {
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
