import Foundation
import OstiaryEngine
import Testing

@Suite struct CalendarDayTests {
    private static let calendar: Calendar = {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        return calendar
    }()

    @Test func `agrees with the system's calendar over four centuries`() throws {
        for number in stride(from: -73_000, to: 73_000, by: 37) {
            let day = CalendarDay(number: number)
            let week = try #require(Self.calendar.dateInterval(of: .weekOfYear, for: day.start))
            let month = try #require(Self.calendar.dateInterval(of: .month, for: day.start))
            #expect(day.startOfWeek.start == week.start, "\(day.start)")
            #expect(day.startOfMonth.start == month.start, "\(day.start)")
        }
    }

    @Test func `begins at midnight in UTC`() {
        let midnight = Date(timeIntervalSince1970: 86_400)
        #expect(CalendarDay(containing: midnight).number == 1)
        #expect(CalendarDay(containing: midnight.addingTimeInterval(-0.001)).number == 0)
        #expect(CalendarDay(containing: Date(timeIntervalSince1970: -0.001)).number == -1)
        #expect(CalendarDay(containing: midnight.addingTimeInterval(86_399.999)).start == midnight)
    }

    @Test(
        arguments: [
            ("the first time", nil, [ActivityPeriod.day, .week, .month]),
            ("on the same day", 20_053, []),
            // 26 November 2024 is a Tuesday.
            ("on the Monday before", 20_052, [.day]),
            ("on the Sunday before", 20_051, [.day, .week]),
            ("in October", 20_020, [.day, .week, .month]),
            ("on a day that is still to come", 20_060, []),
        ] as [(String, Int?, [ActivityPeriod])])
    func `counts an account in the periods in which it was not active before`(
        name: String, previous: Int?, expected: [ActivityPeriod]
    ) {
        let day = CalendarDay(number: 20_053)
        #expect(ActivityPeriod.begun(by: day, after: previous.map(CalendarDay.init(number:))) == expected)
    }
}
