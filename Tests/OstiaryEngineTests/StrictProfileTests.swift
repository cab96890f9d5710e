import Foundation
import OstiaryCore
import OstiaryEngine
import Testing

@Suite struct StrictProfileTests {
    @Test func `never answers an earlier token`() async throws {
        let world = try World.vici { $0.replay.isStrict = true }
        let first = try await world.registered().tokens
        let second = try await world.refresh(first)
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(first) }
        await #expect(throws: AuthError.refreshTokenReused) { try await world.refresh(second) }
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(second) }
    }

    @Test func `goes on rotating for an owner who loses no answer`() async throws {
        let world = try World.vici { $0.replay.isStrict = true }
        var tokens = try await world.registered().tokens
        for _ in 0..<5 { tokens = try await world.refresh(tokens) }
        try await world.use(tokens)
    }
}
