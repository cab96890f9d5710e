import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct AuditTests {
    /// Returns the refusal of a call of each operation that is audited.
    private static func refused(_ kind: OperationKind, in world: World) async -> AuthError? {
        let (engine, token, secret) = (world.engine, Secret("x"), Secret(goodPassword))
        return await refusal {
            let (email, number) = (try EmailAddress("grace@example.com"), try PhoneNumber("+15551239876"))
            let code = try OneTimeCode("000000")
            switch kind {
            case .register: _ = try await engine.perform(Register(email: email, password: secret))
            case .confirmRegistration:
                _ = try await engine.perform(ConfirmRegistration(token: token, password: secret))
            case .signIn: _ = try await engine.perform(SignIn(identifier: .email(email), password: secret))
            case .requestCode:
                for _ in 0..<2 { _ = try await engine.perform(RequestCode(phoneNumber: number)) }
            case .verifyCode:
                _ = try await engine.perform(VerifyCode(phoneNumber: number, code: code, codeSession: "x"))
            case .refresh: _ = try await engine.perform(Refresh(refreshToken: token))
            case .updateProfile: _ = try await engine.perform(UpdateProfile(accessToken: token))
            case .changePassword:
                _ = try await engine.perform(
                    ChangePassword(accessToken: token, currentPassword: secret, newPassword: secret))
            case .requestPasswordReset:
                for _ in 0..<6 { _ = try await engine.perform(RequestPasswordReset(email: email)) }
            case .resetPassword:
                _ = try await engine.perform(ResetPassword(proof: .token(token), password: secret))
            case .deleteAccount: _ = try await engine.perform(DeleteAccount(accessToken: token))
            case .issueSigningKey: _ = try await engine.perform(IssueSigningKey(accessToken: token))
            case .endSession:
                _ = try await engine.perform(EndSession(accessToken: token, sessionID: SessionID("x")))
            case .forgetDevice:
                _ = try await engine.perform(ForgetDevice(accessToken: token, deviceID: DeviceID("x")))
            case .requestDeviceLink:
                for _ in 0..<6 { _ = try await engine.perform(RequestDeviceLink(identifier: .email(email))) }
            case .redeemDeviceLink: _ = try await engine.perform(RedeemDeviceLink(token: token))
            case .beginBrowserSignIn:
                _ = try await engine.perform(BeginBrowserSignIn(redirectURI: "evil://x"))
            case .completeBrowserSignIn:
                _ = try await engine.perform(
                    CompleteBrowserSignIn(authorizationCode: token, state: token, redirectURI: "x"))
            case .beginSocialSignIn:
                _ = try await engine.perform(BeginSocialSignIn(provider: "google"))
            case .completeSocialSignIn:
                _ = try await engine.perform(CompleteSocialSignIn(authorizationCode: token))
            case .signInWithIdentityToken:
                _ = try await engine.perform(
                    SignInWithIdentityToken(provider: "google", identityToken: token, nonce: token))
            case .answerChallenge:
                _ = try await engine.perform(AnswerChallenge(challengeToken: token, answers: [:]))
            case .sendChallengeCode:
                _ = try await engine.perform(SendChallengeCode(challengeToken: token, method: .smsCode))
            case .stepUp: _ = try await engine.perform(StepUp(accessToken: token))
            case .beginTOTP: _ = try await engine.perform(BeginTOTP(accessToken: token))
            case .confirmTOTP:
                _ = try await engine.perform(
                    ConfirmTOTP(accessToken: token, factorID: FactorID("f"), code: OneTimeCode("123456")))
            case .renameFactor:
                _ = try await engine.perform(
                    RenameFactor(accessToken: token, factorID: FactorID("f"), name: FactorName("x")))
            case .removeFactor:
                _ = try await engine.perform(RemoveFactor(accessToken: token, factorID: FactorID("f")))
            case .beginPasskeyRegistration: _ = try await engine.perform(BeginPasskeyRegistration(accessToken: token))
            case .registerPasskey:
                _ = try await engine.perform(RegisterPasskey(accessToken: token, passkeyToken: token, credential: "{}"))
            case .signInWithPasskey:
                _ = try await engine.perform(SignInWithPasskey(passkeyToken: token, credential: "{}"))
            case .attestKey:
                _ = try await engine.perform(AttestKey(keyID: "a2V5", attestation: "YXR0", challenge: "Y2hh"))
            case .replaceRecoveryCodes:
                _ = try await engine.perform(ReplaceRecoveryCodes(accessToken: token))
            default: break
            }
        }
    }

    private static let written: [OperationKind: String] = [
        .register: "phone_number_missing", .confirmRegistration: "registration_token_refused",
        .signIn: "wrong_credentials", .requestCode: "too_many_attempts", .verifyCode: "code_refused",
        .refresh: "refresh_token_invalid", .updateProfile: "invalid_access_token",
        .changePassword: "invalid_access_token", .requestPasswordReset: "too_many_attempts",
        .resetPassword: "reset_token_refused", .deleteAccount: "invalid_access_token",
        .requestDeviceLink: "too_many_attempts", .redeemDeviceLink: "challenge_refused",
        .endSession: "invalid_access_token", .forgetDevice: "invalid_access_token",
        .issueSigningKey: "invalid_access_token",
        .beginBrowserSignIn: "redirect_uri_refused",
        .completeBrowserSignIn: "authorization_refused", .beginSocialSignIn: "not_configured",
        .completeSocialSignIn: "not_configured", .signInWithIdentityToken: "not_configured",
        .answerChallenge: "challenge_refused", .sendChallengeCode: "challenge_refused", .stepUp: "invalid_access_token",
        .beginTOTP: "invalid_access_token",
        .confirmTOTP: "invalid_access_token", .renameFactor: "invalid_access_token",
        .removeFactor: "invalid_access_token", .replaceRecoveryCodes: "invalid_access_token",
        .beginPasskeyRegistration: "not_found", .registerPasskey: "not_found", .signInWithPasskey: "not_found",
        .attestKey: "not_found",
    ]

    @Test(arguments: Self.written.keys.sorted { $0.rawValue < $1.rawValue })
    func `writes one event for a refusal of every operation`(kind: OperationKind) async throws {
        let world = try World.barqnet()
        let refusal = try #require(await Self.refused(kind, in: world))
        let refusals = try await world.events().filter { $0.outcome != "ok" }
        #expect(refusals.map(\.action) == [kind.rawValue])
        #expect(refusals.map(\.outcome) == [refusal.code])
        #expect(refusal.code == Self.written[kind])
    }

    @Test func `knows of every operation whether it is written down`() {
        let silent: Set<OperationKind> = [
            .currentUser, .listSessions, .listDevices, .socialConfiguration, .listFactors, .beginPasskeySignIn,
            .beginPasskeyChallenge, .beginPasskeyAccount, .listPermissions, .checkPermission, .beginAttestation,
        ]
        // Sign-out succeeds for every input.
        let neverRefused: Set<OperationKind> = [.signOut]
        let known = silent.union(neverRefused).union(Self.written.keys)
        #expect(known == Set(OperationKind.allCases))
    }

    @Test func `writes down who did what from where`() async throws {
        let world = try World.vici()
        let engine = world.engine.serving(Caller(address: "192.0.2.1", network: "192.0.2.1", userAgent: "App/1"))
        _ = try await engine.perform(Register(email: EmailAddress(ada), password: Secret(goodPassword)))
        let event = try #require(try await world.events().last)
        #expect(event.action == "register")
        #expect(event.outcome == "ok")
        #expect(event.account == (try await world.account()?.id))
        #expect(event.session != nil)
        #expect(event.identifier == "a***@example.com")
        #expect(event.address == "192.0.2.1")
        #expect(event.userAgent == "App/1")
        #expect(event.at.timeIntervalSince(world.clock.now).magnitude < 0.001)
    }

    @Test func `writes down every success but reads and refreshes`() async throws {
        let world = try World.vici()
        let tokens = try await world.refresh(world.registered().tokens)
        let token = tokens.accessToken
        try await world.use(tokens)
        _ = try await world.engine.perform(ListSessions(accessToken: token))
        _ = try await world.engine.perform(UpdateProfile(accessToken: token))
        _ = try await world.engine.perform(
            ChangePassword(
                accessToken: token, currentPassword: Secret(goodPassword), newPassword: Secret(otherPassword)))
        let reset = try await world.resetToken()
        _ = try await world.engine.perform(ResetPassword(proof: .token(reset), password: Secret(goodPassword)))
        let again = try await world.signIn().tokens
        let id = try #require(try await world.session(of: try await world.signIn().tokens)?.id)
        _ = try await world.engine.perform(EndSession(accessToken: again.accessToken, sessionID: id))
        _ = try await world.engine.perform(SignOut(accessToken: again.accessToken))
        let last = try await world.signIn().tokens
        _ = try await world.engine.perform(
            DeleteAccount(accessToken: last.accessToken, password: Secret(goodPassword)))
        let events = try await world.events()
        #expect(
            events.map(\.action) == [
                "register", "updateProfile", "changePassword", "requestPasswordReset", "resetPassword", "signIn",
                "signIn", "endSession", "signOut", "signIn", "deleteAccount",
            ])
        #expect(events.allSatisfy { $0.outcome == "ok" && $0.account != nil })
    }

    @Test func `holds no secret and nobody's whole identifier`() async throws {
        let world = try World.barqnet()
        let number = try PhoneNumber("+15551234567")
        let (code, session) = try await world.codeSent(to: number)
        let verified = try await world.engine.perform(
            VerifyCode(phoneNumber: number, code: code, codeSession: session))
        let answer = try await world.engine.perform(
            Register(phoneNumber: number, password: Secret(goodPassword), code: code))
        _ = await refusal {
            try await world.engine.perform(SignIn(identifier: .phoneNumber(number), password: Secret(otherPassword)))
        }
        _ = try await world.engine.perform(SignIn(identifier: .phoneNumber(number), password: Secret(goodPassword)))
        let next = try await world.refresh(answer.tokens)
        _ = try await world.engine.perform(SignOut(refreshToken: next.refreshToken))
        let vici = try World("vici", .vici, seed: 3, sharing: world)
        try await vici.registered()
        let reset = try await vici.resetToken()
        _ = try await vici.engine.perform(ResetPassword(proof: .token(reset), password: Secret(otherPassword)))
        _ = await refusal { try await vici.signIn() }
        let events = try await world.events() + vici.events()
        #expect(events.count == 10)
        var text = ""
        for event in events { dump(event, to: &text) }
        let secrets: [String?] = [
            number.e164, String(number.e164.dropFirst()), ada, goodPassword, otherPassword, code.reveal(), session,
            verified.verificationToken.reveal(), reset.reveal(), answer.tokens.refreshToken?.reveal(),
            next.refreshToken?.reveal(), "access-",
        ]
        for secret in secrets.compactMap(\.self) { #expect(!text.contains(secret)) }
        #expect(text.contains("***4567"))
    }

    @Test func `writes nothing of a sign-out that did nothing`() async throws {
        let world = try World.vici()
        _ = try await world.engine.perform(SignOut(accessToken: Secret("x"), refreshToken: Secret("x")))
        #expect(try await world.events().isEmpty)
    }

    @Test func `withholds success that cannot be written down`() async throws {
        let world = try World.vici()
        try await world.registered()
        world.store.fail("audit")
        #expect(await refusal { try await world.signIn() } == .unavailable(incident: "incident-1"))
        #expect(world.failures.reported.count == 1)
    }

    @Test func `lets a refusal be the refusal it is when it cannot be written down`() async throws {
        let world = try World.vici()
        world.store.fail("audit")
        #expect(await refusal { try await world.signIn() } == .wrongCredentials)
        #expect(world.failures.reported.count == 1)
    }

    @Test func `lets a theft end the session even when it cannot be written down`() async throws {
        let world = try World.vici()
        let first = try await world.registered().tokens
        try await world.use(world.refresh(first))
        world.clock.advance(by: .seconds(30))
        world.store.fail("audit")
        #expect(await refusal { try await world.refresh(first) } == .refreshTokenReused)
        #expect(try await world.session(of: first)?.revocation?.reason == .reuse)
    }

    @Test func `records the refusals of each backend, whose requests are counted by no network`() async throws {
        let world = try World.vici()
        let refused = AuthError.refreshTokenInvalid
        for address in ["192.0.2.1", "192.0.2.2", "192.0.2.1"] {
            let caller = world.engine.serving(Caller(address: address))
            #expect(await refusal { try await caller.perform(Refresh(refreshToken: Secret("x"))) } == refused)
        }
        let events = try await world.events().filter { $0.outcome == refused.code }
        #expect(Set(events.map(\.address)) == ["192.0.2.1", "192.0.2.2"] && events.count == 2)
    }

    @Test func `is not filled by whoever is turned away again and again`() async throws {
        let world = try World.vici()
        let caller = world.engine.serving(Caller(network: "192.0.2.1"))
        let call = SignIn(identifier: .email(try EmailAddress(ada)), password: Secret(goodPassword))
        for _ in 0..<50 { _ = await refusal { try await caller.perform(call) } }
        #expect(try await world.events().count { $0.outcome == "too_many_attempts" } == 1)
        #expect(try await world.events().count { $0.outcome == "wrong_credentials" } == 5)
    }

    @Test func `says whose password was guessed at with an access token`() async throws {
        let world = try World.vici()
        let tokens = try await world.registered().tokens
        _ = await refusal {
            try await world.engine.perform(
                ChangePassword(
                    accessToken: tokens.accessToken, currentPassword: Secret("x"), newPassword: Secret(otherPassword)))
        }
        let event = try #require(try await world.events().last)
        #expect(event.outcome == "wrong_credentials")
        #expect(event.account == (try await world.account()?.id))
    }
}
