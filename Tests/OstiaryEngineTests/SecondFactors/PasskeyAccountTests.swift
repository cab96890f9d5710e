import Foundation
import OstiaryClient
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// Accounts that begin with a passkey and no password: see decision 58.
@Suite struct PasskeyAccountTests {
    private let world: World
    private let device = TestPasskeys()

    init() throws { world = try .passkeys() }

    // MARK: Options

    @Test func `the options name the identifier and a random handle`() async throws {
        let first = try await world.passkeyAccountOptions(.email(EmailAddress(ada)))
        let second = try await world.passkeyAccountOptions(.email(EmailAddress(ada)))
        let options = try PasskeyRegistrationOptions(json: Data(first.publicKey.utf8))
        #expect(options.userName == ada && options.userVerification == .required)
        #expect(options.userID.count == 32 && options.challenge.count == 32 && options.excludedCredentials.isEmpty)
        let other = try PasskeyRegistrationOptions(json: Data(second.publicKey.utf8))
        #expect(other.userID != options.userID && other.challenge != options.challenge)
    }

    @Test func `a taken identifier gets options of the same form, and the store is not read`() async throws {
        try await world.addPasskey(to: world.registered().tokens, on: TestPasskeys())
        let calls = world.store.calls
        let taken = try await world.passkeyAccountOptions(.email(EmailAddress(ada)))
        #expect(world.store.calls == calls)
        #expect(taken.token != nil)
        let options = try PasskeyRegistrationOptions(json: Data(taken.publicKey.utf8))
        #expect(options.excludedCredentials.isEmpty)
    }

    @Test func `an address with a domain that mapping changes gets no options`() async throws {
        let email = Identifier.email(try EmailAddress("ada@ｅxample.com"))
        #expect(await refusal { try await world.passkeyAccountOptions(email) } == .invalid(.email, .malformed))
    }

    @Test func `an app without passkeys, or with another identifier, has no options`() async throws {
        let email = Identifier.email(try EmailAddress(ada))
        let without = try World.vici()
        #expect(await refusal { try await without.passkeyAccountOptions(email) } == .notFound)
        let delegated = try World.timetracker(IdentitySources()) { $0.passkeys = .example }
        #expect(await refusal { try await delegated.passkeyAccountOptions(email) } == .notFound)
        let phone = try World.barqnet { $0.passkeys = .example }
        #expect(
            await refusal { try await phone.passkeyAccountOptions(email) } == .invalid(.phoneNumber, .missing))
        let off = try World.passkeys { $0.secondFactor.requirement = .off }
        #expect(await refusal { try await off.passkeyAccountOptions(email) } == .notFound)
        let other = try World.passkeys { $0.secondFactor.methods = [.totp, .recoveryCode] }
        #expect(await refusal { try await other.passkeyAccountOptions(email) } == .notFound)
    }

    // MARK: Registration

    @Test func `a passkey registers an account without a password and signs it in at aal2`() async throws {
        let signedIn = try await world.register(with: device)
        #expect(signedIn.user?.email?.text == ada)
        let account = try #require(try await world.account())
        #expect(account.passwordHash == nil && account.provider == "local" && !account.isEmailVerified)
        let session = try #require(try await world.session(of: signedIn.tokens))
        #expect(session.authentication.level == .aal2)
        #expect(session.authentication.references == ["mfa", "swk", "user"])
        let factors = try await world.factors()
        #expect(factors.map(\.kind) == [.passkey] && factors[0].name == "Passkey")
        // Nothing was added to an existing account, so there is nothing to be informed of.
        #expect(world.notificationSealer.messages.isEmpty)
        _ = try await world.signIn(with: device)
        #expect(await refusal { try await world.signIn() } == .wrongCredentials)
        #expect(await refusal { try await world.signIn(password: "") } == .wrongCredentials)
    }

    @Test func `the recovery codes are created with the first session`() async throws {
        let tokens = try await world.register(with: device).tokens
        #expect(try await world.administration.factors(of: ada).recoveryCodesLeft == 0)
        let codes = try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes
        #expect(codes?.count == 10)
    }

    @Test func `a taken identifier is refused before the passkey's challenge is used up`() async throws {
        try await world.registered()
        let response = try await world.response(.email(EmailAddress(ada)), on: device)
        #expect(await refusal { try await world.register(response) } == .identifierTaken)
        _ = try await world.administration.delete(ada)
        _ = try await world.register(response)
    }

    @Test func `a token belongs to its identifier`() async throws {
        let response = try await world.response(.email(EmailAddress("Ada@Example.com")), on: device)
        #expect(await refusal { try await world.register(response, "bob@example.com") } == .challengeRefused)
        // The same address in another spelling.
        _ = try await world.register(response)
    }

    @Test func `a response registers once, within five minutes`() async throws {
        let response = try await world.response(.email(EmailAddress(ada)), on: device)
        let late = try await world.response(.email(EmailAddress("bob@example.com")), on: TestPasskeys())
        _ = try await world.register(response)
        _ = try await world.administration.delete(ada)
        #expect(await refusal { try await world.register(response) } == .credentialRefused)
        world.clock.advance(by: .seconds(300))
        #expect(await refusal { try await world.register(late, "bob@example.com") } == .challengeRefused)
    }

    @Test func `a token of another purpose registers no account, and no other purpose takes one of an account`()
        async throws
    {
        let account = try await world.passkeyAccountOptions(.email(EmailAddress(ada)))
        let signIn = try await world.engine.perform(BeginPasskeySignIn())
        var response = try await world.response(.email(EmailAddress(ada)), on: device)
        response.token = try #require(signIn.token)
        #expect(await refusal { try await world.register(response) } == .challengeRefused)
        response.token = Secret("AAAA")
        #expect(await refusal { try await world.register(response) } == .challengeRefused)
        let token = try #require(account.token)
        let tokens = try await world.registered("bob@example.com").tokens
        let added = await refusal {
            try await world.engine.perform(
                RegisterPasskey(
                    accessToken: tokens.accessToken, passkeyToken: token, credential: response.credential))
        }
        #expect(added == .challengeRefused)
        let answered = await refusal {
            try await world.engine.perform(AnswerChallenge(challengeToken: token, answers: [:]))
        }
        #expect(answered == .challengeRefused)
        #expect(try await world.account() == nil)
    }

    @Test(arguments: [#"{}"#, #"{"id":"AQ"}"#, "x", ""])
    func `a malformed response is refused`(credential: String) async throws {
        var response = try await world.response(.email(EmailAddress(ada)), on: device)
        response.credential = credential
        #expect(await refusal { try await world.register(response) } == .invalid(.credential, .malformed))
        #expect(try await world.account() == nil)
    }

    @Test func `a passkey of another origin, or that another account has, is refused`() async throws {
        let foreign = TestPasskeys(origin: "https://evil.example")
        #expect(await refusal { try await world.register(with: foreign) } == .credentialRefused)
        _ = try await world.register(with: device)
        let options = try await world.passkeyAccountOptions(.email(EmailAddress("bob@example.com")))
        let factor = try #require(try await world.factors().first)
        let copied = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        // The store knows the credential id of the new response already.
        var taken = factor
        taken.credentialID = Array(copied.credentialID)
        taken.id = try FactorID("taken")
        let account = try #require(try await world.account())
        _ = try await world.store.base.enrol(
            FactorEnrolment(
                factor: taken, spending: nil, recoveryCodes: [], credentialVersion: account.credentialVersion,
                session: nil, authentication: AuthenticationContext(), notice: nil, at: world.clock.now))
        let response = PasskeyResponse(
            token: try #require(options.token), credential: String(decoding: copied.json, as: UTF8.self))
        #expect(await refusal { try await world.register(response, "bob@example.com") } == .credentialRefused)
        #expect(try await world.account("bob@example.com") == nil)
    }

    @Test func `a store that fails leaves neither an account nor a passkey`() async throws {
        world.store.fail("addAccount")
        #expect(await refusal { try await world.register(with: device) }?.code == "unavailable")
        world.store.recover()
        #expect(try await world.account() == nil)
        #expect(await refusal { try await world.signIn(with: device) } == .wrongCredentials)
        _ = try await world.register(with: TestPasskeys())
    }

    @Test func `one of fifty parallel registrations of an identifier succeeds`() async throws {
        var responses: [PasskeyResponse] = []
        for _ in 0..<50 { responses.append(try await world.response(.email(EmailAddress(ada)), on: TestPasskeys())) }
        let outcomes = await withTaskGroup(of: AuthError?.self) { [world] group in
            for response in responses { group.addTask { await refusal { try await world.register(response) } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1 && outcomes.count { $0 == .identifierTaken } == 49)
        #expect(try await world.factors().count == 1)
    }

    @Test func `a phone number needs its code, and a wrong one leaves the passkey's challenge unused`() async throws {
        let world = try World.barqnet {
            $0.limits = .generous
            $0.passkeys = .example
        }
        let number = try PhoneNumber("+15551234567")
        let response = try await world.response(.phoneNumber(number), on: device)
        func register(_ code: OneTimeCode?) async throws -> SignedIn {
            try await world.engine.perform(Register(phoneNumber: number, passkey: response, code: code))
        }
        #expect(await refusal { try await register(nil) } == .invalid(.code, .missing))
        let (code, _) = try await world.codeSent(to: number)
        #expect(await refusal { try await register(OneTimeCode("000000")) } == .codeRefused)
        let jo = try await register(code)
        #expect(jo.user?.phoneNumber == number)
        #expect(await refusal { try await register(code) } == .codeRefused)
    }

    @Test func `a username has to be fit for its app`() async throws {
        let world = try World.viewvault {
            $0.limits = .generous
            $0.passkeys = .example
        }
        let name = try Username("ada")
        let response = try await world.response(.username(name), on: device)
        let signedIn = try await world.engine.perform(
            Register(email: EmailAddress(ada), username: name, passkey: response))
        #expect(signedIn.user?.username == name)
        let other = await refusal { try await world.engine.perform(Register(username: name, passkey: response)) }
        #expect(other == .identifierTaken)
    }

    // MARK: Confirmation

    @Test func `a safe registration is confirmed with the passkey that made it`() async throws {
        let world = try World.passkeys { $0.registersSafely = true }
        #expect(await refusal { try await world.register(with: device) } == .confirmationRequired)
        #expect(try await world.account() == nil)
        let token = try world.registrationToken()
        #expect(world.engine.isPasskeyRegistration(token))
        let other = TestPasskeys()
        _ = await refusal { try await world.register(with: other, as: "bob@example.com") }
        #expect(await refusal { try await world.confirm(token, with: other) } == .wrongCredentials)
        let byPassword = await refusal {
            try await world.engine.perform(ConfirmRegistration(token: token, password: Secret(goodPassword)))
        }
        #expect(byPassword == .invalid(.credential, .missing))
        let signedIn = try await world.confirm(token, with: device)
        #expect(try await world.session(of: signedIn.tokens)?.authentication.level == .aal2)
        #expect(try await world.account()?.isEmailVerified == true)
        #expect(try await world.account()?.passwordHash == nil)
        _ = try await world.signIn(with: device)
        #expect(await refusal { try await world.confirm(token, with: device) } == .identifierTaken)
    }

    @Test func `a safe registration of a taken address answers alike and sends a notice`() async throws {
        let world = try World.passkeys { $0.registersSafely = true }
        _ = await refusal { try await world.registered() }
        _ = try await world.engine.perform(
            ConfirmRegistration(token: world.registrationToken(), password: Secret(goodPassword)))
        world.clock.advance(by: .seconds(3600))
        #expect(await refusal { try await world.register(with: device) } == .confirmationRequired)
        #expect(world.notificationSealer.messages.last?.notice == .registrationAttempted)
        #expect(try await world.factors().isEmpty)
    }

    @Test func `a registration with a password is not confirmed with a passkey`() async throws {
        let world = try World.passkeys { $0.registersSafely = true }
        _ = await refusal { try await world.registered() }
        let token = try world.registrationToken()
        #expect(!world.engine.isPasskeyRegistration(token))
        let other = TestPasskeys()
        _ = await refusal { try await world.register(with: other, as: "bob@example.com") }
        #expect(await refusal { try await world.confirm(token, with: other) } == .invalid(.password, .missing))
    }

    // MARK: The last way in

    @Test func `the last passkey of an account without a password is not removed`() async throws {
        let tokens = try await world.register(with: device).tokens
        let first = try #require(try await world.factors().first)
        func remove(_ id: FactorID) async throws {
            _ = try await world.engine.perform(RemoveFactor(accessToken: tokens.accessToken, factorID: id))
        }
        #expect(await refusal { try await remove(first.id) } == .factorRequired)
        // Another kind of factor is no way in.
        let (app, _) = try await world.enrolled(tokens)
        #expect(await refusal { try await remove(first.id) } == .factorRequired)
        let second = try await world.addPasskey(to: tokens, on: TestPasskeys())
        try await remove(first.id)
        #expect(await refusal { try await remove(second.factor.id) } == .factorRequired)
        try await remove(app.id)
        _ = try await world.engine.perform(
            ChangePassword(accessToken: tokens.accessToken, currentPassword: nil, newPassword: Secret(goodPassword)))
        try await remove(second.factor.id)
        _ = try await world.signIn()
    }

    @Test func `the undo of an addition leaves the last passkey`() async throws {
        let world = try World.passkeys { $0.registersSafely = true }
        _ = await refusal { try await world.register(with: device) }
        let tokens = try await world.confirm(world.registrationToken(), with: device).tokens
        let added = try await world.addPasskey(to: tokens, on: TestPasskeys())
        let link = try #require(world.notificationSealer.messages.last?.notice.factorNotice?.undoToken)
        let first = try #require(try await world.factors().first)
        _ = try await world.engine.perform(RemoveFactor(accessToken: tokens.accessToken, factorID: first.id))
        #expect(try await world.engine.undoFactorChange(link).outcome == .additionKept)
        #expect(try await world.factors().map(\.id) == [added.factor.id])
    }

    // MARK: Passwords

    @Test func `setting the first password needs a step-up and no current password`() async throws {
        let tokens = try await world.register(with: device).tokens
        func set(_ password: String) async throws {
            _ = try await world.engine.perform(
                ChangePassword(accessToken: tokens.accessToken, currentPassword: nil, newPassword: Secret(password)))
        }
        #expect(await refusal { try await set("short") } == .invalid(.newPassword, .tooShort(minimum: 8)))
        world.clock.advance(by: .seconds(301))
        guard case .stepUpRequired(let requirement) = await refusal(of: { try await set(goodPassword) }) else {
            throw World.NothingCame()
        }
        #expect(requirement.level == .aal2 && requirement.challenge?.methods == [.passkey])
        try await world.answer(#require(requirement.challenge), with: device, tokens)
        try await set(goodPassword)
        #expect(world.notificationSealer.messages.last?.notice == .passwordChanged)
        // From now on the current password is required.
        #expect(await refusal { try await set(otherPassword) } == .invalid(.currentPassword, .missing))
        let challenge = try await world.challenged()
        #expect(challenge.methods == [.passkey])
    }

    @Test func `an account with a password does not change it without the current one`() async throws {
        let tokens = try await world.registered().tokens
        let refused = await refusal {
            try await world.engine.perform(
                ChangePassword(
                    accessToken: tokens.accessToken, currentPassword: nil, newPassword: Secret(otherPassword)))
        }
        #expect(refused == .invalid(.currentPassword, .missing))
        _ = try await world.signIn()
    }

    @Test func `an account without a password is deleted after a step-up`() async throws {
        let tokens = try await world.register(with: device).tokens
        world.clock.advance(by: .seconds(301))
        let refused = await refusal {
            try await world.engine.perform(DeleteAccount(accessToken: tokens.accessToken))
        }
        #expect(refused?.code == "step_up_required")
        let again = try await world.signIn(with: device).tokens
        _ = try await world.engine.perform(DeleteAccount(accessToken: again.accessToken))
        #expect(try await world.account() == nil)
    }

    // MARK: Recovery

    @Test func `a person who lost the passkey sets a password by mail and shows a recovery code`() async throws {
        let tokens = try await world.register(with: device).tokens
        let codes = try #require(
            try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes)
        let token = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        // The mailbox alone does not sign in.
        let challenge = try await world.challenged()
        #expect(challenge.methods == [.passkey, .recoveryCode])
        let found = try await world.answer(challenge, .recoveryCode, codes[0].reveal()).tokens
        let lost = try #require(try await world.factors().first)
        let new = TestPasskeys()
        try await world.addPasskey(to: found, on: new)
        _ = try await world.engine.perform(RemoveFactor(accessToken: found.accessToken, factorID: lost.id))
        _ = try await world.signIn(with: new)
        #expect(await refusal { try await world.signIn(with: device) } == .wrongCredentials)
    }
}

extension World {
    func passkeyAccountOptions(_ identifier: Identifier) async throws -> PasskeyOptions {
        try await engine.perform(BeginPasskeyAccount(identifier: identifier))
    }

    /// Creates a passkey for a new account.
    func response(_ identifier: Identifier, on device: TestPasskeys) async throws -> PasskeyResponse {
        let options = try await passkeyAccountOptions(identifier)
        let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        return PasskeyResponse(
            token: options.token ?? Secret(""), credential: String(decoding: made.json, as: UTF8.self))
    }

    func register(_ response: PasskeyResponse, _ email: String = ada) async throws -> SignedIn {
        try await engine.perform(Register(email: EmailAddress(email), passkey: response))
    }

    /// Registers an account with a passkey of a device.
    @discardableResult
    func register(with device: TestPasskeys, as email: String = ada) async throws -> SignedIn {
        try await register(response(.email(EmailAddress(email)), on: device), email)
    }

    /// Confirms a registration with a passkey of a device.
    func confirm(_ token: Secret<String>, with device: TestPasskeys) async throws -> SignedIn {
        let options = try await engine.perform(BeginPasskeySignIn())
        let passkey = PasskeyResponse(
            token: options.token ?? Secret(""), credential: try await device.assertion(options))
        return try await engine.perform(ConfirmRegistration(token: token, passkey: passkey))
    }

    /// The token of the last message that confirms a registration.
    func registrationToken() throws -> Secret<String> {
        for message in notificationSealer.messages.reversed() {
            if case .registrationConfirmation(let token, _) = message.notice { return token }
        }
        throw NothingCame()
    }
}
