import Testing

@testable import OstiaryProvider

@Suite struct AuthorizationAnswerTests {
    @Test(arguments: ["app://done", "app://done?"])
    func `begins the query of a redirect URI once`(uri: String) {
        let answer = AuthorizationAnswer(issuer: "https://a.example/idp", redirectURI: uri, state: "s t")
        #expect(
            answer.accepting(code: "c")
                == "app://done?code=c&state=s%20t&iss=https%3A%2F%2Fa.example%2Fidp")
    }
}
