import Foundation
@testable import OstiaryClient
import Testing

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Tue, 20 Apr 2021 02:07:55 GMT", 1_618_884_475),
    ])
    func `reads a date`(text: String, seconds: TimeInterval) {
        #expect(HTTPDate.read(text)?.timeIntervalSince1970 == seconds)
    }

    @Test func `reads every day from 2000 to 2100`() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for day in 10_957..<47_847 {
            let date = Date(timeIntervalSince1970: Double(day * 86_400 + day))
            #expect(HTTPDate.read(formatter.string(from: date)) == date)
        }
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
        "Thu, 30 Feb 2024 00:00:00 GMT", "Wed, 29 Feb 2023 00:00:00 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 8:049:37 GMT", "Sun, ٠٦ Nov 1994 08:49:37 GMT", "3600",
    ])
    func `reads nothing else`(text: String) { #expect(HTTPDate.read(text) == nil) }
}
