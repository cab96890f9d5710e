import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// Assertions of an attested app: see decision 82.
@Suite struct AppAssertionTests {
    private let app: AttestedApp
    private let register: Register

    init() throws {
        app = try AttestedApp()
        register = Register(email: try EmailAddress(ada), password: Secret(goodPassword), rememberMe: true)
    }

    private var signIn: SignIn {
        get throws { SignIn(identifier: .email(try EmailAddress(ada)), password: Secret(goodPassword)) }
    }

    private func refresh(_ tokens: Tokens) -> Refresh { Refresh(refreshToken: tokens.refreshToken ?? Secret("")) }

    @Test func `the operations that need an assertion are those that the contract page lists`() {
        let needing = OperationKind.allCases.filter(\.description.needsAppAssertion)
        #expect(
            Set(needing) == [
                .register, .confirmRegistration, .signIn, .requestCode, .verifyCode, .refresh, .requestPasswordReset,
                .resetPassword, .completeBrowserSignIn, .completeSocialSignIn, .signInWithIdentityToken,
                .answerChallenge, .sendChallengeCode, .signInWithPasskey, .confirmTOTP, .registerPasskey,
                .requestDeviceLink,
            ])
    }

    @Test func `every operation that can open a session needs an assertion`() {
        for kind in OperationKind.allCases {
            let description = kind.description
            #expect(description.needsAppAssertion || !(description.opensSession || description.completesSignIn))
        }
    }

    @Test func `without an assertion a sign-in is refused, and counts against nobody`() async throws {
        let key = try await app.attestedKey()
        _ = try await app.presenting(key).perform(register)
        for _ in 0..<50 {
            #expect(await refusal { _ = try await app.engine.perform(signIn) } == .appAssertionRequired)
        }
        _ = try await app.presenting(key).perform(signIn)
    }

    @Test func `with an assertion a person registers, signs in and refreshes`() async throws {
        let key = try await app.attestedKey()
        let registered = try await app.presenting(key).perform(register)
        _ = try await app.presenting(key).perform(refresh(registered.tokens))
        let signedIn = try await app.presenting(key).perform(signIn)
        _ = try await app.presenting(key).perform(refresh(signedIn.tokens))
        #expect(try await app.store.appKey(key, in: app.engine.app.name)?.counter == 4)
        #expect(app.counts() == ["attestation ok": 1, "assertion ok": 4])
    }

    @Test func `an assertion is accepted once`() async throws {
        let key = try await app.attestedKey()
        _ = try await app.presenting(key).perform(register)
        let engine = try await app.presenting(key)
        _ = try await engine.perform(signIn)
        #expect(await refusal { _ = try await engine.perform(signIn) } == .appAssertionRefused)
        #expect(app.counts()["assertion counter"] == 1)
    }

    @Test func `an assertion made before an accepted one is refused`() async throws {
        let key = try await app.attestedKey()
        _ = try await app.presenting(key).perform(register)
        let earlier = try await app.presenting(key)
        _ = try await app.presenting(key).perform(signIn)
        #expect(await refusal { _ = try await earlier.perform(signIn) } == .appAssertionRefused)
    }

    @Test func `one of two requests with the same counter at the same time is accepted`() async throws {
        let key = try await app.attestedKey()
        _ = try await app.presenting(key).perform(register)
        let engine = try await app.presenting(key)
        let name = app.engine.app.name
        async let first = app.store.recordUse(ofAppKey: key, in: name, counter: 9, keptUntil: app.world.clock.now)
        async let second = app.store.recordUse(ofAppKey: key, in: name, counter: 9, keptUntil: app.world.clock.now)
        let accepted = try await [first, second]
        #expect(accepted.count(where: \.self) == 1)
        #expect(await refusal { _ = try await engine.perform(signIn) } == .appAssertionRefused)
    }

    @Test func `an assertion of another request is refused`() async throws {
        let key = try await app.attestedKey()
        let engine = try await app.presenting(key, for: Array("POST\n/vici/auth/register\nabc".utf8))
        #expect(await refusal { _ = try await engine.perform(register) } == .appAssertionRefused)
        #expect(app.counts()["assertion signature"] == 1)
    }

    @Test(arguments: [[], [1], Array(repeating: 7, count: 32), Array(repeating: 7, count: 33)] as [[UInt8]])
    func `an assertion of an unknown or malformed key is refused`(key: [UInt8]) async throws {
        let engine = app.engine.serving(
            Caller(
                appAssertion: PresentedAppAssertion(keyID: key, assertion: [1], clientData: AttestedApp.clientData)))
        #expect(await refusal { _ = try await engine.perform(register) } == .appAssertionRefused)
    }

    @Test func `a key of another app of the server is unknown`() async throws {
        let key = try await app.attestedKey()
        let other = try World("other", .vici, sharing: app.world) { $0.appAttest = app.engine.app.appAttest }
        let caller = try await app.presenting(key).caller
        #expect(
            await refusal { _ = try await other.engine.serving(caller).perform(register) } == .appAssertionRefused)
    }

    // MARK: Sessions

    @Test func `a session is refreshed by its key alone, and a refusal does not end it`() async throws {
        let (key, other) = (try await app.attestedKey(), try await app.attestedKey())
        let signedIn = try await app.presenting(key).perform(register)
        #expect(
            await refusal { _ = try await app.presenting(other).perform(refresh(signedIn.tokens)) }
                == .appAssertionRefused)
        #expect(
            await refusal { _ = try await app.engine.perform(refresh(signedIn.tokens)) } == .appAssertionRequired)
        _ = try await app.presenting(key).perform(refresh(signedIn.tokens))
        #expect(app.counts()["assertion other_key"] == 1)
    }

    @Test func `a session from before is bound to the first key that refreshes it`() async throws {
        let off = try AttestedApp(app, mode: nil)
        let signedIn = try await off.engine.perform(register)
        let (key, other) = (try await app.attestedKey(), try await app.attestedKey())
        let next = try await app.presenting(key).perform(refresh(signedIn.tokens))
        #expect(
            await refusal { _ = try await app.presenting(other).perform(refresh(next)) } == .appAssertionRefused)
        _ = try await app.presenting(key).perform(refresh(next))
    }

    @Test func `a refresh token of no session stays invalid`() async throws {
        let key = try await app.attestedKey()
        #expect(
            await refusal { _ = try await app.presenting(key).perform(Refresh(refreshToken: Secret("none"))) }
                == .refreshTokenInvalid)
    }

    // MARK: Monitoring

    @Test func `an app that monitors counts what it would refuse, and performs it`() async throws {
        let monitoring = try AttestedApp(app, mode: .monitor)
        let (key, other) = (try await monitoring.attestedKey(), try await monitoring.attestedKey())
        let signedIn = try await monitoring.presenting(key).perform(register)
        _ = try await monitoring.engine.perform(signIn)
        let next = try await monitoring.presenting(other).perform(refresh(signedIn.tokens))
        _ = try await monitoring.presenting(key, for: [1]).perform(refresh(next))
        #expect(
            monitoring.counts() == [
                "attestation ok": 2, "assertion ok": 2, "assertion missing": 1, "assertion other_key": 1,
                "assertion signature": 1,
            ])
    }

    @Test func `a key that was bound while the app monitored is required afterwards`() async throws {
        let monitoring = try AttestedApp(app, mode: .monitor)
        let (key, other) = (try await monitoring.attestedKey(), try await monitoring.attestedKey())
        let signedIn = try await monitoring.presenting(key).perform(register)
        #expect(
            await refusal { _ = try await app.presenting(other).perform(refresh(signedIn.tokens)) }
                == .appAssertionRefused)
        _ = try await app.presenting(key).perform(refresh(signedIn.tokens))
    }

    // MARK: Pages

    @Test func `a page completes nothing without an assertion`() async throws {
        let off = try AttestedApp(app, mode: nil)
        _ = try await off.engine.perform(register)
        let token = try await off.world.resetToken()
        #expect(
            await refusal {
                try await app.engine.redeem(.passwordReset, token: token, password: Secret("correct horse 9 battery"))
            } == .appAssertionRequired)
        _ = try await off.engine.perform(signIn)
    }

    @Test func `a page asks for nothing that it cannot complete without an assertion`() async throws {
        let token = Secret("AAAA")
        for link in [MailedLink.passwordReset, .registration] {
            #expect(await refusal { try await app.engine.lookUp(link, token: token) } == .appAssertionRequired)
        }
        #expect(
            await refusal { _ = try await app.engine.passkeyRecoveryOpening(token) } == .appAssertionRequired)
        for mode in [AppAttestSettings.Mode.monitor, nil] {
            let other = try AttestedApp(app, mode: mode)
            #expect(
                await refusal { try await other.engine.lookUp(.passwordReset, token: token) } == .resetTokenRefused)
            #expect(other.counts().isEmpty)
        }
    }

    // MARK: Floods and forgetting

    @Test func `refusals of one network are limited and written down once a minute`() async throws {
        let engine = app.engine.serving(Caller(address: "192.0.2.1", network: "192.0.2.1"))
        let limit = try #require(app.engine.app.limits.perAddress[.other])
        for _ in 0..<limit.attempts {
            #expect(await refusal { _ = try await engine.perform(signIn) } == .appAssertionRequired)
        }
        guard case .tooManyAttempts? = await refusal(of: { _ = try await engine.perform(signIn) }) else {
            Issue.record("not limited")
            return
        }
        let events = try await app.world.events().filter { $0.outcome == "app_assertion_required" }
        #expect(events.count == 1)
    }

    @Test func `a key is forgotten half a year after its last use`() async throws {
        let key = try await app.attestedKey()
        let name = app.engine.app.name
        app.world.clock.advance(by: .seconds(179 * 86_400))
        _ = try await app.presenting(key).perform(register)
        app.world.clock.advance(by: .seconds(179 * 86_400))
        _ = try await app.store.sweep(at: app.world.clock.now, endedBefore: .distantPast, auditBefore: .distantPast)
        #expect(try await app.store.appKey(key, in: name) != nil)
        app.world.clock.advance(by: .seconds(2 * 86_400))
        _ = try await app.store.sweep(at: app.world.clock.now, endedBefore: .distantPast, auditBefore: .distantPast)
        #expect(try await app.store.appKey(key, in: name) == nil)
        #expect(await refusal { _ = try await app.presenting(key).perform(signIn) } == .appAssertionRefused)
    }
}
