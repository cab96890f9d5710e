import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// The verification of a request's signature: SG-02, SG-04, RC-09, SE-05.
@Suite struct RequestSignatureTests {
    private let world: World

    init() throws { world = try World.vici { $0.limits = .generous } }

    private func key(of tokens: Tokens, in world: World? = nil) async throws -> RequestSigningKey {
        try await (world ?? self.world).engine.perform(
            IssueSigningKey(accessToken: tokens.accessToken, refreshToken: tokens.refreshToken))
    }

    private func key(ofAccessToken tokens: Tokens, in world: World? = nil) async throws -> RequestSigningKey {
        try await (world ?? self.world).engine.perform(IssueSigningKey(accessToken: tokens.accessToken))
    }

    private func signature(
        by key: RequestSigningKey, created: Int? = nil, nonce: String = "nonce-1", of text: String = "a request"
    ) -> PresentedSignature {
        let base = Array(text.utf8)
        let mac = HMAC<SHA256>.authenticationCode(for: base, using: SymmetricKey(data: key.secret.reveal()))
        return PresentedSignature(
            keyID: key.id, created: created ?? Int(world.clock.now.timeIntervalSince1970), nonce: nonce, base: base,
            signature: Array(mac))
    }

    private func refusal(_ shown: PresentedSignature, _ tokens: Tokens) async -> AuthError? {
        await OstiaryEngineTests.refusal {
            try await world.engine.bearer(of: tokens.accessToken, signing: shown)
        }
    }

    // MARK: The key

    @Test func `gives a session one key, whatever is refreshed`() async throws {
        let first = try await world.registered().tokens
        let key = try await key(of: first)
        #expect(key.secret.reveal().count == 32 && key.id.utf8.count == 16)
        let second = try await world.refresh(first)
        #expect(try await self.key(of: second) == key)
        #expect(await refusal(signature(by: key), second) == nil)
    }

    @Test func `PT-08: issues the key once for the access token alone`() async throws {
        let tokens = try await world.registered().tokens
        let key = try await key(ofAccessToken: tokens)
        await #expect(throws: AuthError.signingKeyAlreadyIssued) { try await self.key(ofAccessToken: tokens) }
        let next = try await world.refresh(tokens)
        await #expect(throws: AuthError.signingKeyAlreadyIssued) { try await self.key(ofAccessToken: next) }
        // A client that lost the answer, or its key.
        #expect(try await self.key(of: next) == key)
    }

    @Test func `PT-08: asks for the session's own current refresh token`() async throws {
        let first = try await world.registered().tokens
        _ = try await key(of: first)
        let second = try await world.refresh(first)
        let other = try await world.signIn().tokens
        for token in [first.refreshToken, other.refreshToken, second.accessToken, Secret("made-up"), nil] {
            await #expect(throws: AuthError.signingKeyAlreadyIssued) {
                try await world.engine.perform(
                    IssueSigningKey(accessToken: second.accessToken, refreshToken: token))
            }
        }
        _ = try await key(of: second)
    }

    @Test func `PT-08: issues it to one of many requests at once, at two nodes of one store`() async throws {
        let nodes = (0..<2).map { _ in AuthEngine(app: world.engine.app, ports: world.engine.ports) }
        let tokens = try await world.registered().tokens
        let refusals = await inParallel(50) { number in
            await OstiaryEngineTests.refusal {
                try await nodes[number % 2].perform(IssueSigningKey(accessToken: tokens.accessToken))
            }
        }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(refusals.allSatisfy { $0 == nil || $0 == .signingKeyAlreadyIssued })
    }

    @Test func `PT-08: asks for a new sign-in where there are no refresh tokens`() async throws {
        let world = try World.viewvault { $0.limits = .generous }
        let tokens = try await world.engine.perform(
            Register(email: EmailAddress(ada), username: Username(ada), password: Secret(goodPassword))
        ).tokens
        let key = try await key(of: tokens, in: world)
        await #expect(throws: AuthError.signingKeyAlreadyIssued) { try await self.key(of: tokens, in: world) }
        let again = try await world.engine.perform(
            SignIn(identifier: .username(Username(ada)), password: Secret(goodPassword))
        ).tokens
        #expect(try await self.key(of: again, in: world) != key)
    }

    @Test func `gives every session a key of its own, and every app`() async throws {
        let one = try await key(of: world.registered().tokens)
        let two = try await key(of: world.signIn().tokens)
        #expect(one.id != two.id && one.secret != two.secret)
        let other = try World.clarity()
        let tokens = try await other.registered().tokens
        #expect(try await key(of: tokens, in: other).secret != one.secret)
    }

    @Test func `gives no key where nothing is signed`() async throws {
        let world = try World.vici { $0.requestSigning = .off }
        let tokens = try await world.registered().tokens
        await #expect(throws: AuthError.notFound) { try await key(of: tokens, in: world) }
    }

    @Test func `gives a dead session no key, and takes none of its signatures`() async throws {
        let tokens = try await world.registered().tokens
        let key = try await key(of: tokens)
        _ = try await world.engine.perform(SignOut(accessToken: tokens.accessToken))
        await #expect(throws: AuthError.sessionRevoked) { try await self.key(of: tokens) }
        #expect(await refusal(signature(by: key), tokens) == .sessionRevoked)
        #expect(try await refusal(signature(by: key), world.signIn().tokens) == .signatureRefused)
    }

    // MARK: The signature

    @Test func `tells whose request it is`() async throws {
        let tokens = try await world.registered().tokens
        let shown = signature(by: try await key(of: tokens))
        let bearer = try await world.engine.bearer(of: tokens.accessToken, signing: shown)
        #expect(try await world.session(of: tokens)?.id == bearer.session.id)
    }

    @Test func `refuses another session's signature, of the same person too`() async throws {
        let mine = try await world.registered().tokens
        let other = try await world.signIn().tokens
        #expect(try await refusal(signature(by: key(of: other)), mine) == .signatureRefused)
    }

    @Test func `refuses a key under another's name`() async throws {
        let tokens = try await world.registered().tokens
        let mine = try await key(of: tokens)
        for name in ["", "x", mine.id.lowercased(), mine.id + "A", String(mine.id.dropLast())] where name != mine.id {
            let named = RequestSigningKey(id: name, secret: mine.secret)
            #expect(await refusal(signature(by: named), tokens) == .signatureRefused)
        }
    }

    @Test func `refuses a signature that differs in any bit, or in length`() async throws {
        let tokens = try await world.registered().tokens
        let good = signature(by: try await key(of: tokens))
        for bit in 0..<256 {
            var bad = good
            bad.signature[bit / 8] ^= 1 << (bit % 8)
            #expect(await refusal(bad, tokens) == .signatureRefused)
        }
        for bytes in [[], Array(good.signature.prefix(16)), Array(good.signature.prefix(31)), good.signature + [0]] {
            var bad = good
            bad.signature = bytes
            #expect(await refusal(bad, tokens) == .signatureRefused)
        }
        var other = good
        other.base.append(0)
        #expect(await refusal(other, tokens) == .signatureRefused)
        #expect(await refusal(good, tokens) == nil)
    }

    // MARK: The window

    @Test(arguments: [(-301, false), (-300, true), (-299, true), (0, true), (299, true), (300, true), (301, false)])
    func `takes a signature within 300 seconds to both sides`(seconds: Int, isTaken: Bool) async throws {
        let tokens = try await world.registered().tokens
        let now = Int(world.clock.now.timeIntervalSince1970)
        let shown = signature(by: try await key(of: tokens), created: now + seconds)
        #expect(await refusal(shown, tokens) == (isTaken ? nil : .signatureRefused))
    }

    @Test(arguments: [0, 1, -1, Int.max, Int.min, 1_700_000_000_000])
    func `refuses times that are none, and milliseconds`(created: Int) async throws {
        let tokens = try await world.registered().tokens
        let shown = signature(by: try await key(of: tokens), created: created)
        #expect(await refusal(shown, tokens) == .signatureRefused)
    }

    // MARK: The nonce

    @Test func `takes a nonce once`() async throws {
        let tokens = try await world.registered().tokens
        let key = try await key(of: tokens)
        #expect(await refusal(signature(by: key), tokens) == nil)
        #expect(await refusal(signature(by: key), tokens) == .signatureRefused)
        // The nonce is not accepted for another request either, nor later within the window.
        world.clock.advance(by: .seconds(299))
        #expect(await refusal(signature(by: key, of: "another request"), tokens) == .signatureRefused)
        #expect(await refusal(signature(by: key, nonce: "nonce-2"), tokens) == nil)
    }

    @Test(arguments: [-300, 0, 300])
    func `remembers a nonce for as long as its signature is taken`(created seconds: Int) async throws {
        let tokens = try await world.registered().tokens
        let now = Int(world.clock.now.timeIntervalSince1970)
        let shown = signature(by: try await key(of: tokens), created: now + seconds)
        #expect(await refusal(shown, tokens) == nil)
        for _ in 0..<35 {
            world.clock.advance(by: .seconds(20))
            #expect(await refusal(shown, tokens) == .signatureRefused)
        }
    }

    @Test func `lets another session have the same nonce`() async throws {
        let mine = try await world.registered().tokens
        let other = try await world.signIn().tokens
        #expect(try await refusal(signature(by: key(of: mine)), mine) == nil)
        #expect(try await refusal(signature(by: key(of: other)), other) == nil)
    }

    @Test func `spends no nonce for a refused signature`() async throws {
        let tokens = try await world.registered().tokens
        let key = try await key(of: tokens)
        var bad = signature(by: key)
        bad.signature[0] ^= 1
        #expect(await refusal(bad, tokens) == .signatureRefused)
        #expect(world.store.singleUseRecords.isEmpty)
        #expect(await refusal(signature(by: key), tokens) == nil)
    }

    @Test func `keeps no nonce in the clear`() async throws {
        let tokens = try await world.registered().tokens
        _ = try await refusal(signature(by: key(of: tokens), nonce: "canary-nonce"), tokens)
        let record = try #require(world.store.singleUseRecords.first)
        #expect(record.kind == .requestNonce && record.payload.isEmpty)
        #expect(record.hash.count == 32)
    }

    @Test func `takes one of fifty uses of a nonce at once, at two nodes of one store`() async throws {
        let nodes = (0..<2).map { _ in AuthEngine(app: world.engine.app, ports: world.engine.ports) }
        let tokens = try await world.registered().tokens
        let shown = signature(by: try await key(of: tokens))
        let refusals = await inParallel(50) { number in
            await OstiaryEngineTests.refusal {
                try await nodes[number % 2].bearer(of: tokens.accessToken, signing: shown)
            }
        }
        #expect(refusals.count { $0 == nil } == 1)
        #expect(refusals.allSatisfy { $0 == nil || $0 == .signatureRefused })
    }

    @Test func `lets nothing through while nonces cannot be kept`() async throws {
        let tokens = try await world.registered().tokens
        let shown = signature(by: try await key(of: tokens))
        world.store.fail("addSingleUseRecord")
        #expect(await refusal(shown, tokens) == .unavailable(incident: "incident-1"))
        world.store.recover()
        #expect(await refusal(shown, tokens) == nil)
    }
}
