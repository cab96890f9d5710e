import Foundation
import OstiaryCore
import OstiaryEngine

extension CodePolicy {
    init(_ section: Section) throws(ConfigurationProblem) {
        self.init()
        digits = try section.integer("digits", in: 4...10) ?? digits
        lifetimeSeconds = try section.integer("lifetime", in: 1...3600) ?? lifetimeSeconds
        tries = try section.integer("tries", in: 1...10) ?? tries
        resendAfterSeconds = try section.integer("resend_after", in: 1...3600) ?? resendAfterSeconds
        let numbers = try section.section("test_numbers")
        for name in numbers.names {
            guard let number = try? PhoneNumber(name), testNumbers[number] == nil else {
                throw numbers.problem(name, "needs a phone number that begins with +, once")
            }
            testNumbers[number] = try TestCode(numbers.section(name), digits: digits)
        }
        try numbers.finish()
        try section.finish()
    }
}

extension CodePolicy.TestCode {
    /// Creates a fixed code, valid until the day begins, in UTC.
    fileprivate init(_ section: Section, digits: Int) throws(ConfigurationProblem) {
        let code = try section.required("code", "the fixed code")
        let text = try code.string()
        guard text.utf8.count == digits, let fixed = try? OneTimeCode(text) else {
            throw code.problem("needs \(digits) digits")
        }
        let until = try section.required("until", "the day it ends: YYYY-MM-DD")
        guard let day = CalendarDay.start(of: try until.string()) else {
            throw until.problem("needs a day: YYYY-MM-DD")
        }
        try section.finish()
        self.init(code: fixed, until: day)
    }
}

/// A day as `YYYY-MM-DD`, in UTC.
enum CalendarDay {
    private static let style = Date.ISO8601FormatStyle(timeZone: .gmt).year().month().day()

    static func start(of text: String) -> Date? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
            let date = try? style.parse(text), self.text(of: date) == text
        else { return nil }
        return date
    }

    static func text(of date: Date) -> String { date.formatted(style) }
}
