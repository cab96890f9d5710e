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
        let answer = try await world.engine.perform(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code))
        #expect(try await world.use(answer.tokens).phoneNumber == number)
    }

    @Test func `signs in whoever registers with a username`() async throws {
        let world = try World.viewvault()
        let answer = try await world.engine.perform(
            Register(email: EmailAddress(ada), username: Username("ada"), password: Secret(goodPassword)))
        #expect(answer.tokens.refreshToken == nil)
        #expect(world.accessTokens.grant(answer.tokens.accessToken)?.subject == "ada")
        #expect(try await world.use(answer.tokens).username?.text == "ada")
    }

    @Test func `numbers accounts where the contract wants integers`() async throws {
        let world = try World.viewvault()
        for number in 1...3 {
            let answer = try await world.engine.perform(
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
            try await world.engine.perform(Register(password: Secret(goodPassword)))
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
        _ = try await world.engine.perform(
            Register(email: ada, username: Username("ada"), password: Secret(goodPassword)))
        await #expect(throws: AuthError.identifierTaken) {
            try await world.engine.perform(Register(username: Username(ada.text), password: Secret(goodPassword)))
        }
    }

    @Test func `refuses an email address that is another account's username`() async throws {
        let world = try World.viewvault()
        _ = try await world.engine.perform(Register(username: Username(ada), password: Secret(goodPassword)))
        await #expect(throws: AuthError.identifierTaken) {
            try await world.engine.perform(
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

    @Test func `refuses a username that looks like an identity provider's subject`() async throws {
        let world = try World.viewvault()
        let call = Register(
            email: try EmailAddress(ada), username: try Username("auth0|123"), password: Secret(goodPassword))
        await #expect(throws: AuthError.invalid(.username, .malformed)) { try await world.engine.perform(call) }
    }

    @Test(arguments: ["\u{3164}", "\u{FE0F}", "\u{115F}", "\u{1160}", "\u{FFA0}", "\u{34F}", "\u{17B4}"])
    func `refuses invisible characters in a username and in an email address`(character: String) async throws {
        let world = try World.viewvault()
        let email = try EmailAddress("ad\(character)a@example.com")
        let username = try Username("ad\(character)a")
        await #expect(throws: AuthError.invalid(.username, .malformed)) {
            try await world.engine.perform(Register(username: username, password: Secret(goodPassword)))
        }
        await #expect(throws: AuthError.invalid(.email, .malformed)) {
            try await world.engine.perform(
                Register(email: email, username: Username("ada"), password: Secret(goodPassword)))
        }
        await #expect(throws: AuthError.invalid(.email, .malformed)) {
            try await World.vici().engine.perform(Register(email: email, password: Secret(goodPassword)))
        }
    }

    @Test(arguments: ["ad@ｅxample.com", "ad@192.0.2.1"])
    func `refuses a domain that mapping changes, and one that is an IP address`(text: String) async throws {
        let email = try EmailAddress(text)
        for world in try [World.vici(), World.vici { $0.registersSafely = true }] {
            await #expect(throws: AuthError.invalid(.email, .malformed)) {
                try await world.engine.perform(Register(email: email, password: Secret(goodPassword)))
            }
            #expect(world.notificationSealer.messages.isEmpty)
        }
    }

    @Test func `takes one's own email address for a username`() async throws {
        let world = try World.viewvault()
        let call = Register(email: try EmailAddress(ada), username: try Username(ada), password: Secret(goodPassword))
        #expect(try await world.engine.perform(call).user?.username?.text == ada)
    }
}
