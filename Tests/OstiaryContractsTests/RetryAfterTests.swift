import OstiaryContracts
import OstiaryCore
import Testing

struct RetryAfterTests {
    private func seconds(_ text: String, date: String? = nil, now: Int? = nil) -> Int? {
        var response = WireResponse(status: 503, headers: ["retry-after": text])
        response.headers["date"] = date
        return RetryAfter.seconds(in: response, now: now)
    }

    @Test(arguments: [
        ("0", 0), ("1", 1), ("120", 120), (" 5\t", 5), ("007", 7), ("-1", 0), ("-99999999999999999999999", 0),
        ("86400", 86_400), ("86401", 86_400), ("99999999999999999999999999", 86_400),
    ])
    func `reads seconds, cut to a day`(_ text: String, _ expected: Int) {
        #expect(seconds(text) == expected)
    }

    @Test(arguments: ["", " ", "soon", "1.5", "5s", "1,2", "0x10", "+5", "٥", "5 seconds", "Sun, 06 Nov 1994"])
    func `hears nothing in what cannot be understood`(_ text: String) {
        #expect(seconds(text, now: 0) == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:47 GMT", 10), ("Sunday, 06-Nov-94 08:49:47 GMT", 10), ("Sun Nov  6 08:49:47 1994", 10),
        ("Sun, 06 Nov 1994 08:49:27 GMT", 0), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
    ])
    func `reads a date against this device's clock`(_ text: String, _ expected: Int) {
        #expect(seconds(text, now: 784_111_777) == expected)
    }

    @Test func `reads a date against the answer's own, whatever this device's clock says`() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        #expect(seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: date, now: 784_111_777 + 86_400) == 60)
        #expect(seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: date) == 60)
    }

    @Test func `hears nothing in a date without a clock`() {
        #expect(seconds("Sun, 06 Nov 1994 08:50:37 GMT") == nil)
        #expect(seconds("Sun, 06 Nov 1994 08:50:37 GMT", date: "now") == nil)
    }

    @Test func `hears nothing in an answer without the header`() {
        #expect(RetryAfter.seconds(in: WireResponse(status: 429), now: 0) == nil)
    }

    @Test(arguments: [
        ("120", 120), ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("-5", 0), ("999999999999999999999", 86_400), ("soon", 1),
    ])
    func `is what a refusal's wait is read from`(_ text: String, _ expected: Int) throws {
        let response = WireResponse(
            status: 429, headers: ["retry-after": text, "date": "Sun, 06 Nov 1994 08:49:37 GMT"])
        #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: expected)) {
            try Codec(.clarity).read(response, to: SignIn.self)
        }
    }

    @Test func `cuts what a refusal's body says`() throws {
        let response = WireResponse(status: 429, body: Array("{\"detail\":\"x\",\"retry_after\":9999999}".utf8))
        #expect(throws: AuthError.tooManyAttempts(retryAfterSeconds: 86_400)) {
            try Codec(.clarity).read(response, to: SignIn.self)
        }
    }

    @Test func `counts of one are singular in messages`() throws {
        let codec = try Codec(Contract(name: "mine", rules: AppRules(identifier: .email), prefix: ""))
        #expect(codec.text(of: .tooManyAttempts(retryAfterSeconds: 1)).hasSuffix("Try again in 1 second."))
        #expect(codec.text(of: .tooManyAttempts(retryAfterSeconds: 2)).hasSuffix("Try again in 2 seconds."))
        #expect(codec.text(of: .invalid(.roles, .tooMany(maximum: 1))).hasSuffix("must have at most 1 entry."))
        #expect(codec.text(of: .invalid(.fullName, .tooLong(maximum: 1))).hasSuffix("must have at most 1 byte."))
    }
}
