import Foundation
import OstiaryEngine
import Testing

@Suite struct RepeatedFailuresTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    @Test(arguments: [0, 1, 0xFF, 0x0ABC_DEF0, UInt32.max])
    func `PT-34: an incident id has eight digits whatever its number`(number: UInt32) {
        let id = RepeatedFailures.incidentID(number)
        #expect(id.utf8.count == 8 && UInt32(id, radix: 16) == number)
    }

    /// Records failures with ascending incident ids.
    private struct Noting {
        var failures = RepeatedFailures()
        var last = 0

        mutating func note(_ cause: String, _ type: String = "T", at now: Date) -> RepeatedFailures.RecordedFailure {
            failures.note(cause, of: type, at: now) {
                last += 1
                return String(last)
            }
        }
    }

    @Test func `gives those of a second the id of the first`() {
        var noting = Noting()
        let notes = [0, 0.2, 0.999].map { noting.note("away", at: noon.addingTimeInterval($0)) }
        #expect(notes.map(\.incident) == ["1", "1", "1"])
        #expect(notes.map(\.position) == [.first, .firstRepetition, .later])
        #expect(noting.failures.takeRepeated() == [.init(incident: "1", repetitions: 2)])
    }

    @Test func `writes down again what happens a second later`() {
        var noting = Noting()
        #expect(noting.note("away", at: noon).position == .first)
        #expect(noting.note("away", at: noon.addingTimeInterval(1)) == .init(incident: "2", position: .first))
        #expect(noting.failures.takeRepeated().isEmpty)
    }

    @Test func `forgets no repetition where a new second begins before it is asked`() {
        var noting = Noting()
        for after in [0, 0.5, 1.5] { _ = noting.note("away", at: noon.addingTimeInterval(after)) }
        #expect(noting.failures.takeRepeated() == [.init(incident: "1", repetitions: 1)])
        #expect(noting.failures.takeRepeated().isEmpty)
    }

    @Test func `tells one cause from another`() {
        var noting = Noting()
        #expect(noting.note("away", at: noon).incident == "1")
        #expect(noting.note("full", at: noon) == .init(incident: "2", position: .first))
        #expect(noting.note("away", at: noon).incident == "1")
    }

    @Test func `begins anew where the clock was set back`() {
        var noting = Noting()
        _ = noting.note("away", at: noon)
        #expect(noting.note("away", at: noon.addingTimeInterval(-86_400)).position == .first)
    }

    @Test func `is bounded however many causes there are`() {
        var noting = Noting()
        let notes = (0..<10_000).map { noting.note("cause \($0)", "T", at: noon) }
        #expect(notes.count { $0.position == .first } == RepeatedFailures.maximumCauses + 1)
        let told = Set(notes.map(\.incident))
        #expect(told.count == RepeatedFailures.maximumCauses + 1)
    }
}
