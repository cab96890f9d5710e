import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

/// Fifty concurrent requests have exactly one effect.
@Suite struct RaceTests {
    private let parallel = 50

    @Test func `fifty uses of one refresh token give one successor`() async throws {
        let world = try World.vici { $0.limits = .generous }
        let tokens = try await world.registered().tokens
        let answers = await inParallel(parallel) { _ in try? await world.refresh(tokens) }
        #expect(answers.allSatisfy { $0 != nil })
        #expect(Set(answers.map { $0?.refreshToken }).count == 1)
        #expect(Set(answers.map { $0?.accessToken }).count == parallel)
        #expect(try await world.session(of: tokens)?.generation == 1)
    }

    @Test func `fifty uses of one refresh token succeed once in the strict profile`() async throws {
        let world = try World.vici {
            $0.limits = .generous
            $0.replay.isStrict = true
        }
        let tokens = try await world.registered().tokens
        let answers = await inParallel(parallel) { _ in try? await world.refresh(tokens) }
        #expect(answers.count { $0 != nil } == 1)
        #expect(try await world.session(of: tokens)?.revocation?.reason == .reuse)
    }

    @Test func `fifty uses of one reset token set one password`() async throws {
        let world = try World.vici { $0.limits = .generous }
        try await world.registered()
        let token = try await world.resetToken()
        let refusals = await inParallel(parallel) { number in
            (
                number,
                await refusal {
                    try await world.engine.perform(
                        ResetPassword(proof: .token(token), password: Secret("number \(number) of fifty")))
                }
            )
        }
        let winners = refusals.filter { $0.1 == nil }.map(\.0)
        #expect(winners.count == 1)
        #expect(refusals.allSatisfy { $0.1 == nil || $0.1 == .resetTokenRefused })
        _ = try await world.signIn(password: "number \(try #require(winners.first)) of fifty")
        #expect(world.notificationSealer.messages.count { $0.notice == .passwordChanged } == 1)
    }

    @Test func `fifty registrations with one code make one account`() async throws {
        let world = try World.barqnet { $0.limits = .generous }
        let number = try PhoneNumber("+15551234567")
        let code = try await world.codeSent(to: number).code
        let refusals = await inParallel(parallel) { _ in
            await refusal {
                try await world.engine.perform(
                    Register(phoneNumber: number, password: Secret(goodPassword), code: code))
            }
        }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(refusals.allSatisfy { $0 == nil || $0 == .codeRefused || $0 == .identifierTaken })
        #expect(try await world.administration.accounts(after: nil, limit: 100).page.count == 1)
    }

    @Test func `fifty wrong guesses at once kill the code`() async throws {
        let world = try World.barqnet { $0.limits = .generous }
        let number = try PhoneNumber("+15551234567")
        let (code, session) = try await world.codeSent(to: number)
        let wrong = try (0..<50).map { try OneTimeCode("\(String(code.reveal().dropLast()))\($0 % 10)") }
            .filter { $0 != code }
        _ = await inParallel(wrong.count) { guess in
            await refusal {
                try await world.engine.perform(
                    VerifyCode(phoneNumber: number, code: wrong[guess], codeSession: session))
            }
        }
        await #expect(throws: AuthError.codeRefused) {
            try await world.engine.perform(VerifyCode(phoneNumber: number, code: code, codeSession: session))
        }
    }

    @Test func `fifty registrations of one address, however spelled, make one account`() async throws {
        let world = try World.vici { $0.limits = .generous }
        let spellings = [ada, "ADA@example.com", "Ada@Example.Com"]
        let refusals = await inParallel(parallel) { number in
            await refusal { try await world.registered(spellings[number % 3]) }
        }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(refusals.allSatisfy { $0 == nil || $0 == .identifierTaken })
    }

    @Test func `fifty requests for a code send one`() async throws {
        let world = try World.barqnet { $0.limits = .generous }
        let number = try PhoneNumber("+15551234567")
        let refusals = await inParallel(parallel) { _ in
            await refusal { try await world.engine.perform(RequestCode(phoneNumber: number)) }
        }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(world.notificationSealer.messages.count == 1)
    }

    @Test func `fifty wrong passwords at once are ten checks`() async throws {
        let world = try World.vici()
        try await world.registered()
        let refusals = await inParallel(parallel) { _ in
            await refusal { try await world.signIn(password: otherPassword) }
        }
        #expect(refusals.count { $0 == .wrongCredentials } == 10)
        #expect(world.hasher.checks == 10)
    }

    /// The reason for which a session ends while it is refreshed.
    enum End: CaseIterable { case signOut, passwordReset, disabling, administrator }

    @Test(arguments: End.allCases)
    func `leaves no token alive when a session ends while it is refreshed`(end: End) async throws {
        for round in 0..<20 {
            let world = try World.vici { $0.limits = .generous }
            let tokens = try await world.registered().tokens
            let reset = try await world.resetToken()
            let answers = await inParallel(11) { number -> Tokens? in
                guard number == round % 11 else { return try? await world.refresh(tokens) }
                switch end {
                case .signOut: _ = try? await world.engine.perform(SignOut(accessToken: tokens.accessToken))
                case .passwordReset:
                    _ = try? await world.engine.perform(
                        ResetPassword(proof: .token(reset), password: Secret(otherPassword)))
                case .disabling: _ = try? await world.administration.setActive(false, ada)
                case .administrator: _ = try? await world.administration.revokeAllSessions(of: ada)
                }
                return nil
            }
            for tokens in answers.compactMap(\.self) + [tokens] {
                #expect(await refusal { try await world.use(tokens) } != nil)
                #expect(await refusal { try await world.refresh(tokens) } != nil)
            }
        }
    }

    @Test func `leaves no session open that signed in with the old password while it was reset`() async throws {
        for round in 0..<20 {
            let world = try World.vici { $0.limits = .generous }
            try await world.registered()
            let reset = try await world.resetToken()
            let answers = await inParallel(11) { number -> Tokens? in
                guard number == round % 11 else { return try? await world.signIn().tokens }
                _ = try? await world.engine.perform(
                    ResetPassword(proof: .token(reset), password: Secret(otherPassword)))
                return nil
            }
            for tokens in answers.compactMap(\.self) {
                await #expect(throws: AuthError.sessionRevoked) { try await world.use(tokens) }
            }
            #expect(try await world.administration.sessions(of: ada).isEmpty)
        }
    }
}
