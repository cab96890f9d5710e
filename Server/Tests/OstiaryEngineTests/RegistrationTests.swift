import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct RegistrationTests {
    @Test func `signs in whoever registers with an email address`() async throws {
        let world = try World.vici()
        let answer = try await world.registered()
        #expect(answer.user?.email?.text == ada)
        #expect(try await world.use(answer.tokens) == answer.user)
        #expect(try await world.refresh(answer.tokens).refreshToken != nil)
    }

    @Test func `signs in whoever registers with a phone number and its code`() async throws {
        let world = try World.barqnet()
        let number = try PhoneNumber("+15551234567")
        let code = try await world.codeSent(to: number).code
        let answer = try await world.engine.register(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code))
        #expect(try await world.use(answer.tokens).phoneNumber == number)
    }

    @Test func `signs in whoever registers with a username`() async throws {
        let world = try World.viewvault()
        let answer = try await world.engine.register(
            Register(email: EmailAddress(ada), username: Username("ada"), password: Secret(goodPassword)))
        #expect(answer.tokens.refreshToken == nil)
        #expect(world.accessTokens.grant(answer.tokens.accessToken)?.subject == "ada")
        #expect(try await world.use(answer.tokens).username?.text == "ada")
    }

    @Test func `numbers accounts where the contract wants integers`() async throws {
        let world = try World.viewvault()
        for number in 1...3 {
            let answer = try await world.engine.register(
                Register(username: Username("person\(number)"), password: Secret(goodPassword)))
            #expect(answer.user?.id.text == "\(number)")
        }
    }

    @Test(arguments: [
        (AppRules.vici, Field.email), (.clarity, .email), (.barqnet, .phoneNumber), (.viewvault, .username),
    ])
    func `asks for what the app signs in with`(rules: AppRules, field: Field) async throws {
        let world = try World("sample", rules)
        await #expect(throws: AuthError.invalid(field, .missing)) {
            try await world.engine.register(Register(password: Secret(goodPassword)))
        }
    }

    @Test func `registers nobody where an identity provider signs people in`() async throws {
        let world = try World("timetracker", AppRules(identifier: .subject))
        await #expect(throws: AuthError.notFound) { try await world.registered() }
    }

    @Test(arguments: [ada, "ADA@Example.COM", "  ada@example.com "])
    func `refuses an email address that is taken, however it is spelled`(spelling: String) async throws {
        let world = try World.vici()
        try await world.registered()
        await #expect(throws: AuthError.identifierTaken) { try await world.registered(spelling) }
    }

    @Test func `refuses a username that is another account's email address`() async throws {
        let world = try World.viewvault()
        let ada = try EmailAddress(ada)
        _ = try await world.engine.register(
            Register(email: ada, username: Username("ada"), password: Secret(goodPassword)))
        await #expect(throws: AuthError.identifierTaken) {
            try await world.engine.register(Register(username: Username(ada.text), password: Secret(goodPassword)))
        }
    }

    @Test func `refuses an email address that is another account's username`() async throws {
        let world = try World.viewvault()
        _ = try await world.engine.register(Register(username: Username(ada), password: Secret(goodPassword)))
        await #expect(throws: AuthError.identifierTaken) {
            try await world.engine.register(
                Register(email: EmailAddress(ada), username: Username("other"), password: Secret(goodPassword)))
        }
    }

    @Test func `keeps the accounts of two apps on one store apart`() async throws {
        let vici = try World.vici()
        let clarity = try World("clarity", .clarity, seed: 2, sharing: vici)
        try await vici.registered()
        try await clarity.registered(password: otherPassword)
        await #expect(throws: AuthError.wrongCredentials) { try await clarity.signIn(password: goodPassword) }
    }

    @Test func `hashes nothing for an address that is taken`() async throws {
        let world = try World.vici()
        try await world.registered()
        let before = world.hasher.hashes
        _ = await refusal { try await world.registered() }
        #expect(world.hasher.hashes == before)
    }

    @Test(arguments: [
        ("short", FieldProblem.tooShort(minimum: 8)), ("password", .tooCommon),
        ("ADA@example.com", .containsIdentifier),
        (String(repeating: "a", count: 73), .tooLong(maximum: 72)), ("nul\u{0}nul\u{0}nul", .malformed),
    ])
    func `refuses a password that is not acceptable and says why`(text: String, problem: FieldProblem) async throws {
        let world = try World.vici()
        await #expect(throws: AuthError.invalid(.password, problem)) { try await world.registered(password: text) }
        #expect(try await world.account() == nil)
    }

    @Test(arguments: [
        (" leading1", "leading1"), ("trailing ", "trailing"), ("CASE it is", "case it is"),
        ("cafe\u{301} noir", "caf\u{E9} noir"), ("zero\u{200B}width", "zerowidth"),
    ])
    func `takes a password as it is, to the byte`(chosen: String, tried: String) async throws {
        let world = try World.vici()
        try await world.registered(password: chosen)
        await #expect(throws: AuthError.wrongCredentials) { try await world.signIn(password: tried) }
        _ = try await world.signIn(password: chosen)
    }
}

@Suite struct RegistrationCodeTests {
    private let number: PhoneNumber
    private let world: World

    init() throws {
        number = try PhoneNumber("+15551234567")
        world = try World.barqnet()
    }

    private func register(_ code: OneTimeCode?, as other: PhoneNumber? = nil) async throws -> SignedIn {
        try await world.engine.register(
            Register(phoneNumber: other ?? number, password: Secret(goodPassword), code: code))
    }

    @Test func `asks for a code`() async throws {
        await #expect(throws: AuthError.invalid(.code, .missing)) { try await register(nil) }
    }

    @Test func `refuses a code where none was sent`() async throws {
        await #expect(throws: AuthError.codeRefused) { try await register(OneTimeCode("000000")) }
    }

    @Test func `refuses the code of another number`() async throws {
        let code = try await world.codeSent(to: number).code
        let other = try PhoneNumber("+15557654321")
        _ = try await world.codeSent(to: other)
        await #expect(throws: AuthError.codeRefused) { try await register(code, as: other) }
    }

    @Test func `takes the code that was verified before`() async throws {
        let (code, session) = try await world.codeSent(to: number)
        _ = try await world.engine.verifyCode(VerifyCode(phoneNumber: number, code: code, codeSession: session))
        _ = try await register(code)
    }

    @Test func `spends the code`() async throws {
        let code = try await world.codeSent(to: number).code
        let id = try #require(try await register(code).user?.id)
        _ = try await world.store.delete(id, in: world.engine.app.name)
        await #expect(throws: AuthError.codeRefused) { try await register(code) }
    }

    @Test func `does not spend the code on a password that is not acceptable`() async throws {
        let code = try await world.codeSent(to: number).code
        _ = await refusal {
            try await world.engine.register(Register(phoneNumber: number, password: Secret("short"), code: code))
        }
        _ = try await register(code)
    }

    @Test func `tells only the owner of a number that it is taken`() async throws {
        _ = try await register(world.codeSent(to: number).code)
        world.clock.advance(60)
        let code = try await world.codeSent(to: number).code
        let wrong = try OneTimeCode(code.reveal() == "000000" ? "000001" : "000000")
        await #expect(throws: AuthError.codeRefused) { try await register(wrong) }
        await #expect(throws: AuthError.identifierTaken) { try await register(code) }
    }

    @Test func `counts guesses taken along in registrations as guesses at codes`() async throws {
        let world = try World.barqnet { $0.limits.perIdentifier[.codeRequest] = RateLimit(attempts: 99, perSeconds: 1) }
        var guesses = 0
        var last: AuthError?
        for _ in 0..<4 {
            let code = try await world.codeSent(to: number).code
            let wrong = try OneTimeCode(code.reveal() == "000000" ? "000001" : "000000")
            for _ in 0..<5 {
                last = await refusal {
                    try await world.engine.register(
                        Register(phoneNumber: number, password: Secret(goodPassword), code: wrong))
                }
                if last == .codeRefused { guesses += 1 }
            }
            world.clock.advance(61)
        }
        #expect(guesses == 10)
        #expect(last?.code == "too_many_attempts")
    }
}

@Suite struct SafeRegistrationTests {
    private let world: World

    init() throws { world = try World.vici { $0.registersSafely = true } }

    private func tokenSent(password: String = goodPassword) async throws -> Secret<String> {
        _ = await refusal { try await world.registered(password: password) }
        guard case .confirmRegistration(let token, _)? = world.courier.messages.last?.notice else {
            throw World.NothingCame()
        }
        return token
    }

    @Test func `answers strangers and owners alike, at the same cost`() async throws {
        _ = try await world.engine.confirmRegistration(
            ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword)))
        var costs: [[String]] = []
        for address in ["stranger@example.com", ada] {
            let before = (
                calls: world.store.calls.count, hashes: world.hasher.hashes, sent: world.courier.messages.count
            )
            await #expect(throws: AuthError.confirmationRequired) { try await world.registered(address) }
            #expect(world.hasher.hashes == before.hashes + 1)
            #expect(world.courier.messages.count == before.sent + 1)
            costs.append(Array(world.store.calls.dropFirst(before.calls)))
        }
        #expect(costs[0] == costs[1])
    }

    @Test func `writes to the owner of an address that is taken, without a token`() async throws {
        _ = try await world.engine.confirmRegistration(
            ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword)))
        _ = await refusal { try await world.registered(password: otherPassword) }
        #expect(
            world.courier.messages.last
                == CollectingCourier.Message(notice: .registrationAttempted, recipient: .email(try EmailAddress(ada))))
    }

    @Test func `makes the account when the owner of the address confirms`() async throws {
        let token = try await tokenSent()
        #expect(try await world.account() == nil)
        let answer = try await world.engine.confirmRegistration(
            ConfirmRegistration(token: token, password: Secret(goodPassword)))
        #expect(try await world.use(answer.tokens).email?.text == ada)
    }

    @Test func `does not finish a registration for whoever does not know its password`() async throws {
        let token = try await tokenSent()
        await #expect(throws: AuthError.wrongCredentials) {
            try await world.engine.confirmRegistration(
                ConfirmRegistration(token: token, password: Secret(otherPassword)))
        }
        #expect(try await world.account() == nil)
    }

    @Test func `makes one account of one token`() async throws {
        let call = ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword))
        _ = try await world.engine.confirmRegistration(call)
        await #expect(throws: AuthError.identifierTaken) { try await world.engine.confirmRegistration(call) }
    }

    @Test func `refuses a token after a day`() async throws {
        let call = ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword))
        world.clock.advance(86_400)
        await #expect(throws: AuthError.registrationTokenRefused) {
            try await world.engine.confirmRegistration(call)
        }
    }

    @Test func `refuses another app's token`() async throws {
        let call = ConfirmRegistration(token: try await tokenSent(), password: Secret(goodPassword))
        let other = try World.clarity { $0.registersSafely = true }
        await #expect(throws: AuthError.registrationTokenRefused) {
            try await other.engine.confirmRegistration(call)
        }
    }

    @Test(arguments: ["", "x", "AAAA", "not base64!", String(repeating: "A", count: 4000)])
    func `refuses a token that is none`(text: String) async throws {
        await #expect(throws: AuthError.registrationTokenRefused) {
            try await world.engine.confirmRegistration(
                ConfirmRegistration(token: Secret(text), password: Secret(goodPassword)))
        }
    }
}
