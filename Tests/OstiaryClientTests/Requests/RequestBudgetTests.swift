import Testing

@testable import OstiaryClient

struct RequestBudgetTests {
    private let far: Duration = .seconds(1_000_000)
    /// 3 at once, then 2 a second.
    private func budget() -> RequestBudget { RequestBudget(RequestLimit(atOnce: 3, perSecond: 2)) }

    @Test func `lets so many go at once, and the others one after another`() {
        var budget = budget()
        let verdicts = (0..<6).map { _ in budget.take(at: .seconds(100), by: far) }
        #expect(
            verdicts == [
                .go, .go, .go, .wait(.milliseconds(500)), .wait(.seconds(1)), .wait(.milliseconds(1500)),
            ])
    }

    @Test func `grows again with time, and never beyond its size`() {
        var budget = budget()
        for _ in 0..<3 { _ = budget.take(at: .zero, by: far) }
        #expect(budget.take(at: .milliseconds(500), by: far) == .go)
        #expect(budget.take(at: .milliseconds(500), by: far) == .wait(.milliseconds(500)))
        let later = (0..<4).map { _ in budget.take(at: .seconds(3600), by: far) }
        #expect(later == [.go, .go, .go, .wait(.milliseconds(500))])
    }

    @Test func `takes nothing for a request whose turn would come too late`() {
        var budget = budget()
        for _ in 0..<4 { _ = budget.take(at: .zero, by: far) }
        for _ in 0..<10 {
            #expect(budget.take(at: .zero, by: .milliseconds(999)) == .tooLate(.seconds(1)))
        }
        #expect(budget.take(at: .zero, by: .seconds(1)) == .wait(.seconds(1)))
    }

    @Test func `has for the next what was given back`() {
        var budget = budget()
        for _ in 0..<3 { _ = budget.take(at: .zero, by: far) }
        budget.giveBack()
        #expect(budget.take(at: .zero, by: far) == .go)
        for _ in 0..<10 { budget.giveBack() }
        #expect((0..<4).filter { _ in budget.take(at: .zero, by: far) == .go }.count == 3)
    }

    @Test func `holds everything during a pause, and does not let all go at its end`() {
        var budget = budget()
        budget.close(for: .seconds(10), at: .seconds(5))
        #expect(budget.isClosed(at: .seconds(5)) && budget.isClosed(at: .milliseconds(14_999)))
        #expect(!budget.isClosed(at: .seconds(15)))
        let verdicts = (0..<5).map { _ in budget.take(at: .seconds(6), by: far) }
        #expect(
            verdicts == [
                .wait(.seconds(9)), .wait(.seconds(9)), .wait(.seconds(9)), .wait(.milliseconds(9500)),
                .wait(.seconds(10)),
            ])
        #expect(budget.take(at: .seconds(6), by: .seconds(14)) == .tooLate(.milliseconds(10_500)))
        #expect(budget.take(at: .seconds(60), by: far) == .go)
    }

    @Test func `keeps the longer of two pauses`() {
        var budget = budget()
        budget.close(for: .seconds(10), at: .zero)
        budget.close(for: .seconds(1), at: .seconds(1))
        #expect(budget.take(at: .seconds(5), by: far) == .wait(.seconds(5)))
        budget.close(for: .seconds(10), at: .seconds(6))
        #expect(budget.isClosed(at: .seconds(15)))
    }

    @Test func `pauses an hour at most, and never backwards`() {
        var budget = budget()
        budget.close(for: .seconds(-5), at: .seconds(10))
        #expect(!budget.isClosed(at: .seconds(10)))
        budget.close(for: .seconds(86_400), at: .seconds(10))
        #expect(budget.isClosed(at: .seconds(3609)) && !budget.isClosed(at: .seconds(3610)))
    }

    @Test func `charges nothing for a replay, which heeds a pause`() {
        var budget = budget()
        for _ in 0..<10 {
            #expect(budget.take(at: .zero, by: far, isReplay: true) == .go)
        }
        budget.close(for: .seconds(2), at: .zero)
        #expect(budget.take(at: .zero, by: far, isReplay: true) == .wait(.seconds(2)))
        #expect(budget.take(at: .seconds(2), by: far) == .go)
    }

    @Test func `heeds a pause without a limit too`() {
        var budget = RequestBudget(nil)
        for _ in 0..<1000 {
            #expect(budget.take(at: .zero, by: far) == .go)
        }
        budget.close(for: .seconds(2), at: .zero)
        #expect(budget.take(at: .seconds(1), by: far) == .wait(.seconds(1)))
        #expect(budget.take(at: .seconds(1), by: .milliseconds(1500)) == .tooLate(.seconds(1)))
        #expect(budget.take(at: .seconds(2), by: far) == .go)
    }

    @Test(arguments: [(0, 0.0), (-5, -1), (1, .nan), (1, -.infinity)])
    func `makes a limit that lets something through`(_ atOnce: Int, _ perSecond: Double) {
        let limit = RequestLimit(atOnce: atOnce, perSecond: perSecond)
        var budget = RequestBudget(limit)
        #expect(limit.atOnce == 1 && limit.perSecond == 1 / 60)
        #expect(budget.take(at: .zero, by: far) == .go)
        #expect(budget.take(at: .zero, by: far) == .wait(.seconds(60)))
    }

    @Test func `takes any speed`() {
        var budget = RequestBudget(RequestLimit(atOnce: 1, perSecond: .infinity))
        for second in 0..<10 {
            #expect(budget.take(at: .seconds(second), by: far) == .go)
        }
    }
}
