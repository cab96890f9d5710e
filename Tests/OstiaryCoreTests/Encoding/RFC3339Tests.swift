import Foundation
import OstiaryCore
import Testing

/// Read through the value that uses it: the reader itself is no public API.
@Suite struct RFC3339Tests {
    private func seconds(_ text: String) -> Double? { AttributeValue.string(text).date?.timeIntervalSince1970 }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("1970-01-01t00:00:00z", 0), ("2026-11-25T12:30:15Z", 1_795_609_815),
        ("2026-11-25T14:30:15+02:00", 1_795_609_815), ("2026-11-25T12:30:15.25Z", 1_795_609_815.25),
        ("2026-11-25T12:30:15.250999999Z", 1_795_609_815.25), ("2000-02-29T00:00:00Z", 951_782_400),
        ("1969-12-31T23:59:59.5Z", -0.5), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("2026-11-25T00:00:00-23:59", 1_795_651_140),
    ]) func `reads every form of the grammar`(text: String, expected: Double) {
        #expect(seconds(text) == expected)
    }

    @Test(arguments: [
        "", "2026", "2026-11-25", "2026-11-25T12:30Z", "2026-11-25 12:30:15Z", "2026-11-25T12:30:15",
        "2026-11-25T12:30:15.Z", "2026-11-25T24:00:00Z", "2026-11-25T23:60:00Z", "2026-11-25T23:59:60Z",
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z",
        "2026-11-00T00:00:00Z", "2026-11-25T12:30:15+2:00", "2026-11-25T12:30:15+24:00", "2026-11-25T12:30:15ZZ",
        "2026-W48-3T12:30:15Z", "+2026-11-25T12:30:15Z", "20261125T123015Z", "٢٠٢٦-11-25T12:30:15Z",
        "9999-12-31T23:59:59-00:01", "0000-01-01T00:00:00+00:01", "2026-11-25T12:30:15.1234567890123456789Z",
    ]) func `reads no other text`(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test func `writes what it reads, in UTC`() {
        for time in [0, 951_782_400, -62_135_596_800, 253_402_300_799, 1_795_609_815.25, -0.5] {
            let value = AttributeValue.date(Date(timeIntervalSince1970: time))
            #expect(value.date?.timeIntervalSince1970 == time)
        }
        #expect(AttributeValue.date(Date(timeIntervalSince1970: 951_782_400)) == "2000-02-29T00:00:00Z")
        #expect(AttributeValue.date(Date(timeIntervalSince1970: 1.25)) == "1970-01-01T00:00:01.250Z")
    }

    @Test func `writes a time for every day of 800 years as the calendar has it`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in stride(from: -141_000, to: 151_000, by: 37) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            let text = String(
                format: "%04d-%02d-%02dT00:00:00Z", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
            #expect(AttributeValue.date(date) == .string(text))
            #expect(seconds(text) == Double(day) * 86_400)
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1e300])
    func `writes a time for every date, however far`(_ seconds: Double) {
        #expect(AttributeValue.date(Date(timeIntervalSince1970: seconds)).date != nil)
    }

    @Test func `agrees with Foundation on every day of 400 years`() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for day in -40_000..<110_000 {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 45_296.125)
            let value = AttributeValue.date(date)
            #expect(value.string == date.formatted(style) && value.date == date)
        }
    }

    @Test func `a time in milliseconds keeps each of them`() {
        for milliseconds in 1_769_860_800_000..<1_769_860_801_000 {
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            #expect(AttributeValue.date(date).date == date)
        }
    }
}
