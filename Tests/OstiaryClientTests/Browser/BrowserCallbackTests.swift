import OstiaryClient
import OstiaryCore
import Testing

@Suite struct BrowserCallbackTests {
    private let app = "timetracker://oauth/callback"
    private let loopback = "http://127.0.0.1:49152/callback"

    @Test(arguments: [
        ("timetracker://oauth/callback", "?code=c0de&state=5tate"),
        ("timetracker://oauth/callback", "?state=5tate&iss=https%3A%2F%2Fidp.example.com&code=c0de"),
        ("timetracker://oauth/callback", "?code=c0de&state=5tate#_=_"),
        ("timetracker://oauth/callback", "?c%6Fde=c0d%65&state=5tate&&"),
        ("http://127.0.0.1:49152/callback", "?code=c0de&state=5tate"),
        ("https://app.example.com/callback?via=browser", "&code=c0de&state=5tate"),
    ])
    func `gives code and state`(redirectURI: String, answer: String) throws {
        let callback = try BrowserCallback(redirectURI + answer, for: redirectURI)
        #expect(callback.code.reveal() == "c0de" && callback.state?.reveal() == "5tate")
    }

    @Test func `decodes what is percent-encoded, and a plus as a space`() throws {
        let callback = try BrowserCallback(app + "?code=a%2Bb%2F%3D+c&state=%7Es", for: app)
        #expect(callback.code.reveal() == "a+b/= c" && callback.state?.reveal() == "~s")
    }

    @Test func `has no state where the backend sends none`() throws {
        #expect(try BrowserCallback(app + "?code=c", for: app).state == nil)
    }

    @Test(arguments: [
        "timetracker:/oauth/callback?code=c&state=s", "timetracker://oauth/callback/?code=c&state=s",
        "timetracker://oauth/callbackx?code=c&state=s", "timetracker://oauth@evil/callback?code=c&state=s",
        "TIMETRACKER://oauth/callback?code=c&state=s", "timetracker://oauth/callback&code=c&state=s",
        "https://evil.example.com/?next=timetracker://oauth/callback?code=c&state=s", "", "code=c&state=s",
        " timetracker://oauth/callback?code=c&state=s", "timetracker://oauth/callb\u{61}\u{301}ck?code=c&state=s",
    ])
    func `does not take another address for the redirect URI`(address: String) {
        #expect(throws: BrowserCallbackProblem.foreign) { try BrowserCallback(address, for: app) }
    }

    @Test(arguments: ["49153", "4915", "491520"])
    func `does not take another port of the loopback`(port: String) {
        #expect(throws: BrowserCallbackProblem.foreign) {
            try BrowserCallback("http://127.0.0.1:\(port)/callback?code=c&state=s", for: loopback)
        }
    }

    @Test(arguments: [
        "", "?", "?state=s", "?code=&state=s", "?code&state=s", "?code=c&code=d&state=s", "?code=c&code=c&state=s",
        "?code=c&state=s&state=s", "?code=c&c%6fde=d&state=s", "?code=c&error=access_denied&state=s",
        "?code=%&state=s", "?code=%FF&state=s", "?code=c%00&state=s", "?code=c%0D%0Ax&state=s", "?code=c\u{1F600}",
        "#?code=c&state=s", "?code=c&\(String(repeating: "n", count: 129))=1", "?code=c&%=1", "?code=c&%C3%A9=1",
    ])
    func `refuses an answer without exactly one code that can be read`(answer: String) {
        #expect(throws: BrowserCallbackProblem.malformed) { try BrowserCallback(app + answer, for: app) }
    }

    @Test func `tells why the provider refused`() {
        #expect(throws: BrowserCallbackProblem.refused("access_denied")) {
            try BrowserCallback(app + "?error=access_denied&error_description=x&state=s", for: app)
        }
    }

    @Test func `tells no more of it than a line`() {
        #expect(throws: BrowserCallbackProblem.refused(String(repeating: "x", count: 64))) {
            try BrowserCallback(app + "?error=" + String(repeating: "x", count: 5000), for: app)
        }
    }

    @Test(arguments: ["?code=c&state=other", "?code=c", "?error=access_denied&state=other", "?code=c&state=MINE"])
    func `refuses the answer to another sign-in, even one that failed`(answer: String) {
        #expect(throws: BrowserCallbackProblem.foreignState) {
            try BrowserCallback(app + answer, for: app, state: Secret("mine"))
        }
    }

    @Test func `takes the answer to its own sign-in`() throws {
        #expect(try BrowserCallback(app + "?code=c&state=mine", for: app, state: Secret("mine")).code.reveal() == "c")
        #expect(throws: BrowserCallbackProblem.refused("server_error")) {
            try BrowserCallback(app + "?error=server_error&state=mine", for: app, state: Secret("mine"))
        }
    }

    @Test func `refuses 100 KB`() {
        let address = app + "?code=" + String(repeating: "c", count: 100_000) + "&state=s"
        #expect(throws: BrowserCallbackProblem.tooLong) { try BrowserCallback(address, for: app) }
    }

    @Test func `prints no code and no state`() throws {
        let callback = try BrowserCallback(app + "?code=CaNaRy&state=CaNaRy", for: app)
        #expect(!"\(callback) \(String(reflecting: callback))".contains("CaNaRy"))
    }
}
