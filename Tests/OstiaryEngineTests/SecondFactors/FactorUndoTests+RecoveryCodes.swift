import Foundation
import OstiaryClient
import OstiaryCore
@testable import OstiaryEngine
import OstiaryTesting
import Testing

/// Links that undo replacements of recovery codes, and their order.
extension FactorUndoTests {
    @Test func `undoing a replacement makes the earlier codes valid in the place of the new ones`() async throws {
        let tokens = try await verified()
        let (_, codes) = try await world.enrolled(tokens)
        let new = try await engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes
        #expect(try await undo(link) == .undone)
        #expect(try await list().recoveryCodesLeft == 10)
        let challenge = try await world.challenged()
        let refused = await refusal {
            try await world.answer(challenge, .recoveryCode, #require(new?.first).reveal())
        }
        #expect(refused == .codeRefused)
        _ = try await world.answer(challenge, .recoveryCode, #require(codes?.first).reveal())
    }

    @Test func `new codes of which one signed in stay valid beside the restored ones`() async throws {
        let tokens = try await verified()
        let (_, codes) = try await world.enrolled(tokens)
        let new = try await engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes
        let token = try link
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(new?.first).reveal())
        #expect(try await undo(token) == .additionKept)
        #expect(try await list().recoveryCodesLeft == 19)
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(codes?.first).reveal())
    }

    @Test(arguments: [false, true])
    func `a factor that a thief added and removed again does not come back`(newestFirst: Bool) async throws {
        let tokens = try await verified()
        let (own, _) = try await world.enrolled(tokens)
        world.advanceStep()
        let thief = try await world.addPasskey(to: tokens, on: TestPasskeys()).factor.id
        let added = try link
        try await remove(thief, tokens)
        let removed = try link
        for token in newestFirst ? [removed, added] : [added, removed] { #expect(try await undo(token) == .undone) }
        #expect(try await list().factors.map(\.id) == [own.id])
    }

    @Test func `codes that a thief made and replaced again do not come back`() async throws {
        let tokens = try await verified()
        let (_, own) = try await world.enrolled(tokens)
        let theirs = try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken)).codes
        let first = try link
        _ = try await world.engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
        let second = try link
        for token in [first, second] { _ = try await undo(token) }
        let code = try #require(theirs?.first).reveal()
        #expect(await refusal { try await world.answer(world.challenged(), .recoveryCode, code) } == .codeRefused)
        _ = try await world.answer(world.challenged(), .recoveryCode, #require(own?.first).reveal())
    }

    @Test func `codes are restored to an account with a factor only`() async throws {
        let tokens = try await verified()
        let (app, _) = try await world.enrolled(tokens)
        _ = try await engine.perform(ReplaceRecoveryCodes(accessToken: tokens.accessToken))
        let token = try link
        try await remove(app.id, tokens)
        #expect(try await undo(token) == .undone)
        #expect(try await list() == EnrolledFactors())
        #expect(try await world.enrolled(world.signIn().tokens).codes?.count == 10)
    }
}
