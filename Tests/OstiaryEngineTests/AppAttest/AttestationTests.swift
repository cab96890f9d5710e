import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// The attestation of an app's keys: see decision 82.
@Suite struct AttestationTests {
    private let app: AttestedApp

    init() throws { app = try AttestedApp() }

    private func outcome(of call: AttestKey) async -> AuthError? {
        await refusal { _ = try await app.engine.perform(call) }
    }

    @Test func `a challenge has 32 bytes, and the store does not learn of it`() async throws {
        let calls = app.store.calls
        let first = try await app.challenge()
        let second = try await app.challenge()
        #expect(first != second)
        #expect(Base64URL.decode(first.utf8)?.count == 32)
        #expect(app.store.calls == calls)
    }

    @Test func `an attested key is stored with its App ID and the counter 0`() async throws {
        let id = try await app.attestedKey()
        let key = try #require(try await app.store.appKey(id, in: app.engine.app.name))
        #expect(key.appID == "ABCDE12345.com.example.app" && key.counter == 0 && key.publicKey.count == 65)
        #expect(app.counts() == ["attestation ok": 1])
    }

    @Test func `a challenge is redeemed once, by whatever attestation`() async throws {
        let challenge = try await app.challenge()
        let key = try await app.device.generateKey()
        let call = try await app.attestation(of: key, challenge: challenge)
        _ = try await app.engine.perform(call)
        #expect(await outcome(of: call) == .attestationRefused)
        let second = try await app.challenge()
        #expect(
            await outcome(of: AttestKey(keyID: call.keyID, attestation: call.attestation, challenge: second))
                == .attestationRefused)
        let other = try await app.device.generateKey()
        #expect(await outcome(of: try await app.attestation(of: other, challenge: second)) == .attestationRefused)
        #expect(app.counts() == ["attestation ok": 1, "attestation malformed": 2, "attestation nonce": 1])
    }

    @Test func `a challenge expires after five minutes`() async throws {
        let challenge = try await app.challenge()
        let call = try await app.attestation(of: app.device.generateKey(), challenge: challenge)
        app.world.clock.advance(by: .seconds(301))
        #expect(await outcome(of: call) == .attestationRefused)
    }

    @Test func `a challenge of another server is refused`() async throws {
        let other = try World("vici", .vici, master: 8) { $0.appAttest = app.engine.app.appAttest }
        let challenge = try await other.engine.perform(BeginAttestation()).challenge
        let call = try await app.attestation(of: app.device.generateKey(), challenge: challenge)
        #expect(await outcome(of: call) == .attestationRefused)
    }

    @Test(arguments: [
        "", "a", "=", "AAAA", String(repeating: "A", count: 43), "\u{0}", "é", String(repeating: "x", count: 8000),
    ])
    func `malformed values are refused`(text: String) async throws {
        let challenge = try await app.challenge()
        let call = try await app.attestation(of: app.device.generateKey(), challenge: challenge)
        for malformed in [
            AttestKey(keyID: text, attestation: call.attestation, challenge: challenge),
            AttestKey(keyID: call.keyID, attestation: text, challenge: try await app.challenge()),
            AttestKey(keyID: call.keyID, attestation: call.attestation, challenge: text),
        ] {
            #expect(await outcome(of: malformed) == .attestationRefused)
        }
        #expect(app.world.failures.reported.isEmpty)
    }

    @Test func `a key that is attested again keeps its counter`() async throws {
        let id = try await app.attestedKey()
        _ = await refusal { _ = try await app.presenting(id).perform(SignIn.unknown) }
        let key = try #require(try await app.store.appKey(id, in: app.engine.app.name))
        #expect(key.counter == 1)
        var again = key
        again.counter = 0
        try await app.store.add(again)
        #expect(try await app.store.appKey(id, in: app.engine.app.name) == key)
    }

    @Test func `an app without App Attest has no challenge and takes no key`() async throws {
        let off = try AttestedApp(app, mode: nil)
        #expect(await refusal { _ = try await off.challenge() } == .notFound)
        let call = AttestKey(keyID: "AAAA", attestation: "AAAA", challenge: "AAAA")
        #expect(await refusal { _ = try await off.engine.perform(call) } == .notFound)
    }
}

extension SignIn {
    static var unknown: SignIn {
        get throws {
            SignIn(identifier: .email(try EmailAddress("unknown@example.com")), password: Secret(goodPassword))
        }
    }
}
