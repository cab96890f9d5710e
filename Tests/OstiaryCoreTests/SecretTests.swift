import OstiaryCore
import Testing

@Suite struct SecretTests {
    private static let hidden = "correct horse battery staple"

    /// Everything by which a value usually gets into a log.
    private func prints(_ value: some Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        let children = Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value)" }
        return ["\(value)", String(describing: value), String(reflecting: value), dumped] + children
    }

    private func expectSilence(_ value: some Any, about hidden: String, _ location: SourceLocation = #_sourceLocation) {
        for print in prints(value) { #expect(!print.contains(hidden), sourceLocation: location) }
        for print in prints([value]) { #expect(!print.contains(hidden), sourceLocation: location) }
        for print in prints(Optional(value) as Any) { #expect(!print.contains(hidden), sourceLocation: location) }
    }

    @Test func `a secret prints as nothing but a mask`() {
        #expect("\(Secret(Self.hidden))" == "<secret>")
        #expect(String(reflecting: Secret(Self.hidden)) == "<secret>")
        #expect(Mirror(reflecting: Secret(Self.hidden)).children.isEmpty)
        expectSilence(Secret(Self.hidden), about: Self.hidden)
        expectSilence(Secret([Self.hidden]), about: Self.hidden)
    }

    @Test func `a secret reveals what it holds`() { #expect(Secret(Self.hidden).reveal() == Self.hidden) }

    @Test func `operations and answers print without the secrets in them`() throws {
        let secret = Secret(Self.hidden)
        let email = try EmailAddress("john@example.com")
        expectSilence(SignIn(identifier: .email(email), password: secret), about: Self.hidden)
        expectSilence(Register(email: email, password: secret), about: Self.hidden)
        expectSilence(ResetPassword(proof: .token(secret), password: secret), about: Self.hidden)
        expectSilence(SignOut(accessToken: secret, refreshToken: secret, alsoEnding: secret), about: Self.hidden)
        expectSilence(AnswerChallenge(challengeToken: secret, answers: ["NEW_PASSWORD": secret]), about: Self.hidden)
        let tokens = Tokens(accessToken: secret, expiresIn: .seconds(1), refreshToken: secret)
        expectSilence(SignedIn(tokens: tokens, user: nil), about: Self.hidden)
        expectSilence(AuthError.challengeRequired(Challenge(name: "NEXT", token: secret)), about: Self.hidden)
    }

    @Test func `a one-time code prints without its digits`() throws {
        expectSilence(try OneTimeCode("493027"), about: "493027")
    }

    @Test func `a phone number prints as its last four digits`() throws {
        let number = try PhoneNumber("+15551234567")
        #expect("\(number)" == "***4567")
        expectSilence(number, about: "555123")
        expectSilence(RequestCode(phoneNumber: number), about: "555123")
    }

    @Test func `an email address prints as its first letter and its domain`() throws {
        let email = try EmailAddress("john.doe@example.com")
        #expect("\(email)" == "j***@example.com")
        expectSilence(email, about: "john")
        expectSilence(User(id: try AccountID("1"), email: email), about: "john")
    }

    @Test func `a username prints as its first letter`() throws {
        let username = try Username("john@example.com")
        #expect("\(username)" == "j***")
        expectSilence(username, about: "ohn")
    }
}
