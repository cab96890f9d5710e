import Foundation
import OstiaryEngine
import Testing

@testable import OstiaryStore

@Suite struct AssessmentSweepTests {
    /// Events at the times 1, 2, 3, …, each a part of its own with that many assessments.
    private final class Events {
        var deleted: [Int: Int] = [:]
        var batches: [Int] = []
        var failing: Int?
        private let assessments: Int
        private let count: Int

        struct Failure: Error {}

        init(count: Int, assessments: Int) {
            self.count = count
            self.assessments = assessments
        }

        func sweep(_ sweep: AssessmentSweep) async throws {
            try await sweep.run(at: noon) { start, _ in
                let next = max(1, start &+ 1)
                guard start < Int64(count) else { return nil }
                return AssessmentSweep.Part(end: next, numbers: (0..<Int64(assessments)).map { $0 })
            } delete: { numbers, _, end in
                if failing == Int(end) { throw Failure() }
                batches.append(numbers.count)
                deleted[Int(end), default: 0] += numbers.count
            }
        }
    }

    @Test func `deletes in batches of limited size`() async throws {
        let events = Events(count: 1, assessments: 2 * SweepPace.batchSize + 1)
        try await events.sweep(AssessmentSweep())
        #expect(events.batches == [SweepPace.batchSize, SweepPace.batchSize, 1])
    }

    @Test func `continues after an error with the part that failed, and after success with what is new`() async throws {
        let sweep = AssessmentSweep()
        let events = Events(count: 3, assessments: 1)
        events.failing = 2
        await #expect(throws: Events.Failure.self) { try await events.sweep(sweep) }
        #expect(events.deleted == [1: 1])
        events.failing = nil
        try await events.sweep(sweep)
        #expect(events.deleted == [1: 1, 2: 1, 3: 1])
        try await events.sweep(sweep)
        #expect(events.deleted == [1: 1, 2: 1, 3: 1])
    }
}
