import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

/// Second factors through the client, as an app uses them.
@Suite struct TestServerFactorTests {
    private static let email = "jo@example.com"
    private static let password = "a passphrase of mine"

    private func challenge(of body: () async throws(ClientError) -> some Sendable) async -> Challenge? {
        do throws(ClientError) {
            _ = try await body()
        } catch {
            switch error {
            case .refused(.challengeRequired(let challenge)): return challenge
            case .refused(.stepUpRequired(let requirement)): return requirement.challenge
            default: return nil
            }
        }
        return nil
    }

    @Test(arguments: [Contract.vici, .clarity])
    func `an app adds a passkey, signs in with it, and steps up with it`(contract: Contract) async throws {
        let server = try TestServer(contract)
        let client = try server.client()
        let device = TestPasskeys()
        try await client.register(email: Self.email, password: Self.password)
        let added = try await client.addPasskey(name: "Phone", from: device)
        #expect(added.factor.name == "Phone" && added.recoveryCodes?.count == 10 && device.count == 1)
        try await client.signOut()

        try await client.signInWithPasskey(from: device)
        #expect(client.isAuthenticated)
        #expect(try await client.stepUp(acr: .aal2).methods == ["mfa", "swk", "user"])
        server.clock.advance(by: .seconds(301))
        let stepUp = try #require(
            await challenge { () throws(ClientError) in try await client.removeFactor(added.factor.id) })
        #expect(stepUp.methods.contains(.passkey))
        try await client.answerStepUp(stepUp, withPasskeyFrom: device)
        try await client.signOut()

        let challenge = try #require(
            await challenge { () throws(ClientError) in
                try await client.signIn(email: Self.email, password: Self.password)
            })
        try await client.answer(challenge, withPasskeyFrom: device)
        try await client.removeFactor(added.factor.id)
        try await client.signOut()
        await #expect(throws: ClientError.refused(.wrongCredentials)) {
            try await client.signInWithPasskey(from: device)
        }
    }

    @Test(arguments: [Contract.vici, .clarity])
    func `an account that must have a factor adds an authenticator app, which completes the sign-in`(
        contract: Contract
    ) async throws {
        var rules = TestServerRules.standard
        rules.requiresSecondFactor = true
        let server = try TestServer(contract, rules: rules)
        let client = try server.client()
        let challenge = try #require(
            await challenge { () throws(ClientError) in
                try await client.register(email: Self.email, password: Self.password)
            })
        #expect(challenge.name == Challenge.enrollFactor && challenge.methods == [.passkey, .totp])
        #expect(!client.isAuthenticated)

        let pending = try await client.addTOTP(for: challenge)
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        await #expect(throws: ClientError.refused(.codeRefused)) {
            try await client.confirmTOTP(pending, code: "000000", for: challenge)
        }
        let enrolled = try await client.confirmTOTP(
            pending, code: authenticator.code(at: server.clock.now), name: "Phone", for: challenge)
        #expect(enrolled.recoveryCodes?.count == 10 && client.isAuthenticated)
        #expect(try await client.stepUp(acr: .aal2).methods == ["mfa", "otp", "pwd"])
        #expect(try await client.factors().isRequired)
        await #expect(throws: ClientError.refused(.challengeRefused)) { try await client.addTOTP(for: challenge) }
    }

    @Test func `an account that must have a factor adds a passkey, which completes the sign-in`() async throws {
        var rules = TestServerRules.standard
        rules.requiresSecondFactor = true
        let server = try TestServer(.vici, rules: rules)
        let client = try server.client()
        let device = TestPasskeys()
        let challenge = try #require(
            await challenge { () throws(ClientError) in
                try await client.register(email: Self.email, password: Self.password)
            })
        let enrolled = try await client.addPasskey(name: "Phone", from: device, for: challenge)
        #expect(enrolled.recoveryCodes?.count == 10 && client.isAuthenticated && device.count == 1)
        try await client.signOut()
        try await client.signInWithPasskey(from: device)
    }

    @Test func `a remembered device is not asked again, through sign-out and another start of the app`() async throws {
        var rules = TestServerRules.standard
        rules.rememberDeviceDays = 30
        let server = try TestServer(.clarity, rules: rules)
        let store = TestStore()
        let client = try server.client(store: store)
        try await client.register(email: Self.email, password: Self.password)
        let pending = try await client.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        _ = try await client.confirmTOTP(pending, code: authenticator.code(at: server.clock.now))
        try await client.signOut()

        server.clock.advance(by: .seconds(30))
        let challenge = try #require(
            await challenge { () throws(ClientError) in
                try await client.signIn(email: Self.email, password: Self.password)
            })
        #expect(challenge.rememberDeviceDays == 30)
        let code = authenticator.code(at: server.clock.now)
        try await client.answer(challenge, with: ["totp": code], rememberDevice: true)
        try await client.signOut()
        for _ in 0..<2 {
            try await client.signIn(email: Self.email, password: Self.password)
            try await client.signOut()
        }
        let restarted = try server.client(store: store)
        try await restarted.signIn(email: Self.email, password: Self.password)
        #expect(try await restarted.stepUp(acr: .aal1).methods == ["pwd"])
        let other = try server.client()
        #expect(
            await self.challenge { () throws(ClientError) in
                try await other.signIn(email: Self.email, password: Self.password)
            } != nil)
    }

    @Test(arguments: [Contract.vici, .clarity])
    func `an app registers an account with a passkey and no password`(contract: Contract) async throws {
        let server = try TestServer(contract)
        let client = try server.client()
        let device = TestPasskeys()
        let account = try await client.registerWithPasskey(email: Self.email, name: "Jo", from: device)
        #expect(account.session.user?.fullName?.text == "Jo" && account.recoveryCodes?.count == 10)
        #expect(try await client.stepUp(acr: .aal2).methods == ["mfa", "swk", "user"])
        let factor = try #require(try await client.factors().factors.first)
        await #expect(throws: ClientError.refused(.factorRequired)) { try await client.removeFactor(factor.id) }
        try await client.signOut()
        await #expect(throws: ClientError.refused(.wrongCredentials)) {
            try await client.signIn(email: Self.email, password: Self.password)
        }
        try await client.signInWithPasskey(from: device)
        try await client.setPassword(Self.password)
        #expect(client.isAuthenticated)
        try await client.removeFactor(factor.id)
        try await client.signOut()
        try await client.signIn(email: Self.email, password: Self.password)
        await #expect(throws: ClientError.refused(.invalid(.currentPassword, .missing))) {
            try await client.setPassword("another passphrase of mine")
        }
    }

    @Test func `an app registers a phone number and a username with a passkey`() async throws {
        let server = try TestServer(.barqnet)
        let client = try server.client()
        let code = try await client.requestCode(for: "+15551234567")
        let digits = try #require(server.code(for: "+15551234567"))
        let account = try await client.registerWithPasskey(code: code, digits: digits, from: TestPasskeys())
        #expect(account.session.user?.phoneNumber?.e164 == "+15551234567" && account.recoveryCodes?.count == 10)
        let other = try TestServer(.viewvault)
        let named = try await other.client().registerWithPasskey(
            username: "jo", email: Self.email, from: TestPasskeys())
        #expect(named.session.user?.username?.text == "jo" && named.recoveryCodes?.count == 10)
    }

    @Test func `an app confirms a registration with the passkey that made it`() async throws {
        var rules = TestServerRules()
        rules.registersSafely = true
        let server = try TestServer(.vici, rules: rules)
        let client = try server.client()
        let device = TestPasskeys()
        await #expect(throws: ClientError.refused(.confirmationRequired)) {
            try await client.registerWithPasskey(email: Self.email, from: device)
        }
        let token = try #require(server.registrationToken(for: Self.email))
        await #expect(throws: ClientError.cancelledByUser) {
            try await client.confirmRegistration(token: token, withPasskeyFrom: TestPasskeys())
        }
        let account = try await client.confirmRegistration(token: token, withPasskeyFrom: device)
        #expect(client.isAuthenticated && account.recoveryCodes?.count == 10)
    }

    @Test func `an app recovers an account whose passkey is lost, a day after the request`() async throws {
        let server = try TestServer(.vici)
        let client = try server.client()
        try await client.registerWithPasskey(email: Self.email, from: TestPasskeys())
        try await client.signOut()
        try await client.requestPasswordReset(email: Self.email)
        let token = try #require(server.recoveryToken(for: Self.email))
        #expect(server.resetToken(for: Self.email) != nil)
        let address = try #require(URL(string: "vici://recover-passkey?token=\(token)"))
        let link = AppLink.passkeyRecovery(PasskeyRecoveryLink(token: Secret(token)))
        #expect(AppLinks(contract: .vici).destination(of: address) == link)
        let new = TestPasskeys()
        let early = await #expect(throws: ClientError.self) {
            try await client.recoverAccount(token: token, withPasskeyFrom: new)
        }
        guard case .rateLimited(let until)? = early else { throw early ?? ClientError.cancelled }
        #expect(abs(until.timeIntervalSince(server.clock.now) - 86_400) <= 1)
        #expect(new.count == 0)
        server.clock.advance(by: .seconds(86_400))
        try await client.recoverAccount(token: token, name: "New phone", withPasskeyFrom: new)
        #expect(client.isAuthenticated)
        #expect(try await client.factors().factors.map(\.name) == ["New phone"])
        try await client.signOut()
        try await client.signInWithPasskey(from: new)
        await #expect(throws: ClientError.refused(.challengeRefused)) {
            try await client.recoverAccount(token: token, withPasskeyFrom: TestPasskeys())
        }
    }

    @Test func `a person who creates no passkey registers nothing`() async throws {
        let server = try TestServer(.vici)
        let client = try server.client()
        await #expect(throws: ClientError.cancelledByUser) {
            try await client.registerWithPasskey(email: Self.email, from: NoPasskeys())
        }
        #expect(server.performed == [.beginPasskeyAccount] && !client.isAuthenticated)
        await #expect(throws: ClientError.refused(.invalid(.email, .malformed))) {
            try await client.registerWithPasskey(email: "jo", from: NoPasskeys())
        }
    }

    @Test func `an app whose contract registers no passkeys creates none`() async throws {
        var contract = Contract.vici
        contract.endpoints[.register]?.takes = [.required(.email), .required(.password), .optional(.fullName)]
        let server = try TestServer(contract)
        let client = try server.client()
        let device = TestPasskeys()
        await #expect(throws: ClientError.refused(.notFound)) {
            try await client.registerWithPasskey(email: Self.email, from: device)
        }
        #expect(device.count == 0 && server.performed.isEmpty)
    }

    @Test func `a device without passkeys sends nothing but the request for options`() async throws {
        let server = try TestServer(.vici)
        let client = try server.client()
        await #expect(throws: ClientError.cancelledByUser) { try await client.signInWithPasskey(from: TestPasskeys()) }
        #expect(server.performed == [.beginPasskeySignIn])
    }

    @Test(arguments: [Contract.vici, .clarity])
    func `an app adds an authenticator, signs in with it, and removes it`(contract: Contract) async throws {
        let server = try TestServer(contract)
        let client = try server.client()
        try await client.register(email: Self.email, password: Self.password)
        let pending = try await client.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        await #expect(throws: ClientError.refused(.codeRefused)) {
            _ = try await client.confirmTOTP(pending, code: "000000")
        }
        let codes = try await client.confirmTOTP(
            pending, code: authenticator.code(at: server.clock.now), name: "Phone")
        #expect(codes?.count == 10)
        #expect(try await client.factors().factors.map(\.name) == ["Phone"])
        try await client.signOut()

        server.clock.advance(by: .seconds(30))
        let challenge = try #require(
            await challenge { () throws(ClientError) in
                try await client.signIn(email: Self.email, password: Self.password)
            })
        #expect(challenge.methods == [.totp, .recoveryCode] && !client.isAuthenticated)
        await #expect(throws: ClientError.refused(.codeRefused)) {
            try await client.answer(challenge, with: ["totp": "000000"])
        }
        try await client.answer(challenge, with: ["totp": authenticator.code(at: server.clock.now)])
        #expect(client.isAuthenticated)
        #expect(try await client.stepUp(acr: .aal2, maxAge: .seconds(300)).methods == ["mfa", "otp", "pwd"])

        let factor = try #require(try await client.factors().factors.first)
        #expect(try await client.renameFactor(factor.id, to: "Tablet").name == "Tablet")
        #expect(try await client.replaceRecoveryCodes().count == 10)
        try await client.removeFactor(factor.id)
        #expect(try await client.factors().factors.isEmpty)
    }

    @Test func `an app asks for the password and a code before a sensitive step, and stays signed in`() async throws {
        let server = try TestServer(.vici)
        let client = try server.client()
        try await client.register(email: Self.email, password: Self.password)
        let pending = try await client.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        _ = try await client.confirmTOTP(pending, code: authenticator.code(at: server.clock.now))
        server.clock.advance(by: .seconds(301))
        let first = try #require(
            await challenge { () throws(ClientError) in try await client.removeFactor(pending.factorID) })
        #expect(first.methods == [.password, .totp, .recoveryCode])
        await #expect(throws: ClientError.refused(.wrongCredentials)) {
            try await client.answerStepUp(first, with: [.password: "not mine"])
        }
        let second = try #require(
            await challenge { () throws(ClientError) in
                try await client.answerStepUp(first, with: [.password: Self.password])
            })
        #expect(second.methods == [.totp, .recoveryCode])
        try await client.answerStepUp(second, with: [.totp: authenticator.code(at: server.clock.now)])
        try await client.removeFactor(pending.factorID)
        #expect(client.isAuthenticated)
    }
}

/// A person who closes the system's sheet.
private struct NoPasskeys: PasskeyCredentialProvider {
    func register(_ options: PasskeyRegistrationOptions) async throws(ClientError) -> PasskeyRegistration {
        throw .cancelledByUser
    }

    func assert(_ options: PasskeyAssertionOptions) async throws(ClientError) -> PasskeyAssertion {
        throw .cancelledByUser
    }
}
