import OstiaryContracts
import Testing

struct HTTPDateTests {
    /// RFC 9110 §5.6.7's own examples.
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `reads the three forms of RFC 9110 §5.6.7`(_ text: String) {
        #expect(HTTPDate(text)?.secondsSince1970 == 784_111_777)
    }

    // The seconds are what `date -u -d` says.
    @Test(arguments: [
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Fri, 31 Dec 1999 23:59:59 GMT", 946_684_799),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800), ("Mon Feb 16 00:00:01 2026", 1_771_200_001),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
        ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
    ])
    func `counts the days of the calendar`(_ text: String, _ seconds: Int) {
        #expect(HTTPDate(text)?.secondsSince1970 == seconds)
    }

    @Test(arguments: [
        (94, 784_111_777, 1994), (94, 1_800_000_000, 1994), (77, 1_800_000_000, 2077), (78, 1_800_000_000, 1978),
        (5, 3_900_000_000, 2105), (99, 0, 1999), (20, 0, 2020), (21, 0, 1921),
    ])
    func `puts a year of two digits at most 50 years after the reference`(_ digits: Int, _ reference: Int, _ year: Int)
        throws
    {
        let two = digits < 10 ? "0\(digits)" : "\(digits)"
        let read = try #require(HTTPDate("Sunday, 06-Nov-\(two) 08:49:37 GMT", near: reference))
        #expect(read == HTTPDate("Sun, 06 Nov \(year) 08:49:37 GMT"))
    }

    @Test(arguments: [
        "", " ", "GMT", "tomorrow", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
        "Son, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 29 Feb 2100 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06  Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov -994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sun Nov 06 08:49:37 94", "Sun, 06 Nov 1994 ٠٨:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun, 06 Nov 1994 08:49:37\r\nGMT", "--/", "-----", ":::", "     ",
    ])
    func `refuses any other text`(_ text: String) {
        #expect(HTTPDate(text) == nil)
    }
}
