import Foundation
import OstiaryAdminAPI
import Testing

@Suite struct RFC3339Tests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2026-01-31T12:00:00.250Z", 1_769_860_800.25),
            ("2024-02-29T23:59:59.999Z", 1_709_251_199.999), ("1969-12-31T23:59:59.500Z", -0.5),
            ("0000-01-01T00:00:00.000Z", -62_167_219_200), ("9999-12-31T23:59:59.999Z", 253_402_300_799.999),
        ] as [(String, TimeInterval)])
    func `a time is written and read`(text: String, seconds: TimeInterval) throws {
        #expect(RFC3339.text(Date(timeIntervalSince1970: seconds)) == text)
        let date = try #require(RFC3339.date(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.0005)
    }

    @Test func `agrees with Foundation on every day of 400 years`() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in stride(from: -40_000, to: 110_000, by: 1) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296)
            let text = RFC3339.text(date)
            #expect(text == date.formatted(style) && RFC3339.date(text) == date)
        }
    }

    @Test(arguments: [
        ("2026-01-31T12:00:00Z", 0), ("2026-01-31T12:00:00.5Z", 0.5), ("2026-01-31T12:00:00.123456789Z", 0.123),
    ])
    func `a fraction has up to nine digits, or is absent`(text: String, fraction: Double) throws {
        let date = try #require(RFC3339.date(text))
        #expect(abs(date.timeIntervalSince1970 - 1_769_860_800 - fraction) < 0.0005)
    }

    @Test(arguments: [
        "", "2026-01-31", "2026-01-31T12:00:00", "2026-01-31t12:00:00z", "2026-01-31T12:00:00+00:00",
        "2026-02-29T12:00:00Z",
        "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T12:60:00Z",
        "2026-01-31T12:00:61Z",
        "2026-01-31T12:00:00.Z", "2026-01-31T12:00:00.1234567890Z", "2026-01-31T12:00:00ZZ", " 2026-01-31T12:00:00Z",
        "٢026-01-31T12:00:00Z", "-026-01-31T12:00:00Z",
    ])
    func `another form and a day that does not exist are refused`(text: String) { #expect(RFC3339.date(text) == nil) }

    @Test(arguments: [Double.infinity, -Double.infinity, 1e300, -1e300])
    func `a time outside the calendar is clamped`(seconds: Double) {
        #expect(RFC3339.date(RFC3339.text(Date(timeIntervalSince1970: seconds))) != nil)
    }
}
