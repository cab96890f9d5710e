import Testing

@testable import OstiaryHTTP

struct UserAgentSummaryTests {
    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
            "Chrome on Windows"
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
            "Edge on Windows"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
            "Safari on iPhone"
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
            "Safari on Mac"
        ),
        (
            "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36",
            "Chrome on Android"
        ),
        ("curl/8.5.0", "Unknown browser"), ("", "Unknown browser"), ("Linux", "Linux"),
        ("<script>alert(1)</script>", "Unknown browser"),
    ])
    func `names the browser and the system, and nothing else of the header`(header: String, name: String) {
        #expect(EnglishTexts().device(UserAgentSummary(header)) == name)
    }
}
