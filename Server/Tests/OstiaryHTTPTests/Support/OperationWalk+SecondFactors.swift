import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// Second factors, passkeys and step-up.
extension OperationWalk {
    /// Adds an authenticator app, which the next sign-in asks for.
    func factors() async throws {
        let jo = try await client.register()
        let access = jo.tokens.accessToken
        let pending = try await auth.perform(BeginTOTP(accessToken: access))
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        func code() throws -> OneTimeCode { try OneTimeCode(authenticator.code(at: client.world.clock.now)) }
        let confirmed = try await auth.perform(
            ConfirmTOTP(accessToken: access, factorID: pending.factorID, code: code())
        ).added
        #expect(confirmed?.codes?.count == 10)
        let renamed = try await auth.perform(
            RenameFactor(accessToken: access, factorID: pending.factorID, name: FactorName("Phone")))
        let list = try await auth.perform(ListFactors(accessToken: access))
        #expect(list == FactorList(factors: [renamed], recoveryCodesLeft: 10, isRequired: false))
        let replaced = try await auth.perform(ReplaceRecoveryCodes(accessToken: access))
        #expect(replaced.codes?.count == 10 && replaced != confirmed)
        if contract.endpoint(for: .signIn) != nil {
            client.world.clock.advance(by: .seconds(30))
            let signedIn = try await auth.perform(
                AnswerChallenge(challengeToken: challenge().token, answers: ["totp": Secret(code().reveal())]))
            #expect(try await client.user(signedIn) == jo.user)
        }
        _ = try await auth.perform(RemoveFactor(accessToken: access, factorID: pending.factorID))
        await #expect(throws: AuthError.notFound) {
            try await auth.perform(RemoveFactor(accessToken: access, factorID: pending.factorID))
        }
        _ = try await client.signIn()
    }

    /// Adds a passkey, which signs in alone, and after the password.
    func passkeys() async throws {
        let device = TestPasskeys()
        let jo = try await client.register()
        let access = jo.tokens.accessToken
        let options = try await auth.perform(BeginPasskeyRegistration(accessToken: access))
        let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        let registered = try await auth.perform(
            RegisterPasskey(
                accessToken: access, passkeyToken: #require(options.token),
                credential: String(decoding: made.json, as: UTF8.self), name: FactorName("Phone")))
        let added = try #require(registered.added)
        #expect(added.recoveryCodes?.count == 10 && added.factor.type == .passkey)
        func assertion(_ options: PasskeyOptions) async throws -> String {
            let options = try PasskeyAssertionOptions(json: Data(options.publicKey.utf8))
            return String(decoding: try await device.assert(options).json, as: UTF8.self)
        }
        guard contract.endpoint(for: .signInWithPasskey) != nil else { return }
        let way = try await auth.perform(BeginPasskeySignIn())
        let signedIn = try await auth.perform(
            SignInWithPasskey(passkeyToken: #require(way.token), credential: assertion(way)))
        #expect(try await client.user(signedIn) == jo.user)
        let challenge = try await challenge()
        #expect(challenge.methods == [.passkey] + codesByPhone + [.recoveryCode])
        let asked = try await auth.perform(BeginPasskeyChallenge(challengeToken: challenge.token))
        let answered = try await auth.perform(
            AnswerChallenge(challengeToken: challenge.token, credential: assertion(asked)))
        #expect(try await client.user(answered) == jo.user)
    }

    /// Registers an account with a passkey and no password, which has no other way in until it sets one.
    func passkeyAccount() async throws {
        let identifier: Identifier =
            switch contract.rules.identifier {
            case .email: .email(try AppClient.email)
            case .phoneNumber: .phoneNumber(try AppClient.phoneNumber)
            case .username, .subject: .username(try AppClient.username)
            }
        let device = TestPasskeys()
        let options = try await auth.perform(BeginPasskeyAccount(identifier: identifier))
        let made = try await device.register(PasskeyRegistrationOptions(json: Data(options.publicKey.utf8)))
        guard contract.endpoint(for: .register)?.takes?.contains(.optional(.passkeyToken)) == true else { return }
        var code: OneTimeCode?
        if contract.rules.registersWithCode {
            _ = try await auth.perform(RequestCode(phoneNumber: AppClient.phoneNumber))
            code = try notificationSealer.code()
        }
        let jo = try await auth.perform(
            Register(
                email: AppClient.email, username: AppClient.username, phoneNumber: AppClient.phoneNumber,
                passkey: PasskeyResponse(
                    token: #require(options.token), credential: String(decoding: made.json, as: UTF8.self)),
                code: code))
        #expect(try await client.user(jo) == jo.user)
        await #expect(throws: AuthError.wrongCredentials) { try await client.signIn() }
        let access = jo.tokens.accessToken
        #expect(try await auth.perform(ReplaceRecoveryCodes(accessToken: access)).codes?.count == 10)
        let factor = try #require(try await auth.perform(ListFactors(accessToken: access)).factors.first)
        await #expect(throws: AuthError.factorRequired) {
            try await auth.perform(RemoveFactor(accessToken: access, factorID: factor.id))
        }
        let way = try await auth.perform(BeginPasskeySignIn())
        let assertion = try await device.assert(PasskeyAssertionOptions(json: Data(way.publicKey.utf8)))
        let signedIn = try await auth.perform(
            SignInWithPasskey(
                passkeyToken: #require(way.token), credential: String(decoding: assertion.json, as: UTF8.self)))
        #expect(try await client.user(signedIn) == jo.user)
        _ = try await auth.perform(
            ChangePassword(
                accessToken: signedIn.tokens.accessToken, currentPassword: nil, newPassword: AppClient.password))
        #expect(try await challenge().methods == [.passkey] + codesByPhone + [.recoveryCode])
    }

    /// The method of challenges for people who sign in with a verified phone number.
    private var codesByPhone: [ChallengeMethod] { contract.rules.identifier == .phoneNumber ? [.smsCode] : [] }

    /// Requests a code for a challenge, and answers with it where people have a verified phone number.
    func challengeCode() async throws {
        let jo = try await client.register()
        let access = jo.tokens.accessToken
        let pending = try await auth.perform(BeginTOTP(accessToken: access))
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        let first = try OneTimeCode(authenticator.code(at: client.world.clock.now))
        _ = try await auth.perform(ConfirmTOTP(accessToken: access, factorID: pending.factorID, code: first))
        guard contract.endpoint(for: .signIn) != nil else { return }
        let challenge = try await challenge()
        #expect(challenge.methods == [.totp] + codesByPhone + [.recoveryCode])
        let call = SendChallengeCode(challengeToken: challenge.token, method: .smsCode)
        guard !codesByPhone.isEmpty else {
            await #expect(throws: AuthError.invalid(.method, .notSupported)) { try await auth.perform(call) }
            return
        }
        _ = try await auth.perform(call)
        let code = try notificationSealer.code()
        let answered = try await auth.perform(
            AnswerChallenge(challengeToken: challenge.token, answers: ["sms_code": Secret(code.reveal())]))
        #expect(try await client.user(answered) == jo.user)
    }

    /// Signs in with the password, and returns the challenge that answers.
    private func challenge() async throws -> Challenge {
        do {
            _ = try await client.signIn()
        } catch AuthError.challengeRequired(let challenge) {
            return challenge
        }
        throw AuthError.notFound
    }

    func stepUp() async throws {
        let jo = try await client.register()
        let access = jo.tokens.accessToken
        let call = StepUp(accessToken: access, maximumAgeSeconds: 300)
        let hasPassword = contract.endpoint(for: .signIn) != nil
        #expect(try await auth.perform(call).methods == (hasPassword ? ["pwd"] : []))
        client.world.clock.advance(by: .seconds(301))
        let requirement = try await requirement(of: call)
        #expect(requirement.maximumAgeSeconds == 300 && requirement.level == nil)
        guard hasPassword else {
            #expect(requirement.challenge == nil)
            return
        }
        let challenge = try #require(requirement.challenge)
        #expect(challenge.methods == [.password])
        let raised = try await auth.perform(
            AnswerChallenge(
                challengeToken: challenge.token, answers: ["password": AppClient.password], accessToken: access))
        #expect(raised.tokens.refreshToken == jo.tokens.refreshToken)
        #expect(try await auth.perform(call).level == .aal1)
    }

    private func requirement(of call: StepUp) async throws -> StepUpRequirement {
        do {
            _ = try await auth.perform(call)
        } catch AuthError.stepUpRequired(let requirement) {
            return requirement
        }
        throw AuthError.notFound
    }
}
