import Foundation
import Testing

@testable import OstiaryHTTP

struct LogTimeTests {
    @Test func `writes the time in UTC with milliseconds, rounded down`() {
        let time = LogTime()
        #expect(time.text(Date(timeIntervalSince1970: 0)) == "1970-01-01T00:00:00.000Z")
        #expect(time.text(Date(timeIntervalSince1970: 1_000_000_000.0419)) == "2001-09-09T01:46:40.041Z")
        #expect(time.text(Date(timeIntervalSince1970: 1_000_000_000.9999)) == "2001-09-09T01:46:40.999Z")
    }

    @Test func `takes no second for another`() {
        let time = LogTime()
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for milliseconds in [0, 999, 1000, 59_999, 60_000, 1_000, 0, 86_400_000 * 366] {
            let date = Date(timeIntervalSince1970: 1_700_000_000 + Double(milliseconds) / 1000)
            #expect(time.text(date) == date.formatted(style))
        }
    }
}
