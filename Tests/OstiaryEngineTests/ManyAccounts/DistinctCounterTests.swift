import Foundation
import Testing

@testable import OstiaryEngine

/// Counts of distinct members in memory.
@Suite struct DistinctCounterTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)
    private let randomness = SeededRandomness(seed: 1)

    private func counter(limit: Int = 100, capacity: Int = 1000) -> DistinctCounter {
        DistinctCounter(limit: limit, capacity: capacity, randomBytes: { randomness.bytes($0) })
    }

    @Test func `counts each member of a group once`() {
        let counter = counter()
        for _ in 0..<2 { counter.add("ada", to: "one", at: noon) }
        counter.add("bob", to: "one", at: noon)
        counter.add("ada", to: "other", at: noon)
        #expect(counter.contains("ada", in: "one", at: noon) && !counter.contains("bob", in: "other", at: noon))
        #expect(counter.count("one", at: noon) == 2 && counter.count("other", at: noon) == 1)
        #expect(counter.count("none", at: noon) == 0)
    }

    @Test func `counts a member once across the change of the key`() {
        let counter = counter()
        counter.add("ada", to: "one", at: noon)
        counter.add("bob", to: "one", at: noon)
        let later = noon.addingTimeInterval(1800)
        #expect(counter.contains("ada", in: "one", at: later))
        counter.add("ada", to: "one", at: later)
        #expect(counter.count("one", at: later) == 2)
        // Ada failed again in the second half hour, Bob did not.
        #expect(counter.count("one", at: later.addingTimeInterval(1800)) == 1)
    }

    @Test(arguments: [3600.0, 86_400, -1])
    func `forgets after an hour, and where the clock jumped back`(seconds: Double) {
        let counter = counter()
        counter.add("ada", to: "one", at: noon)
        #expect(counter.count("one", at: noon.addingTimeInterval(seconds)) == 0)
    }

    @Test func `keeps no more members of a group than its limit`() {
        let counter = counter(limit: 3)
        for index in 0..<5 { counter.add("\(index)", to: "one", at: noon) }
        #expect(counter.count("one", at: noon) == 3)
    }

    @Test func `takes its members along to another limit`() {
        let counter = counter(limit: 3)
        counter.add("ada", to: "one", at: noon)
        #expect(counter.limited(to: 3) === counter)
        let other = counter.limited(to: 2)
        #expect(other.contains("ada", in: "one", at: noon))
        for name in ["bob", "eve"] { other.add(name, to: "one", at: noon) }
        #expect(other.count("one", at: noon) == 2)
    }

    @Test func `forgets single members first under a flood, and stays bounded`() {
        let counter = counter(capacity: 100)
        for index in 0..<5 { counter.add("\(index)", to: "attack", at: noon) }
        for index in 0..<1000 { counter.add("ada", to: "flood \(index)", at: noon) }
        #expect(counter.count("attack", at: noon) == 5)
        let kept = (0..<1000).filter { counter.count("flood \($0)", at: noon) > 0 }
        #expect(kept.count <= 100)
    }
}
