import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The deletion of an account that has no password to confirm.
@Suite struct RecentSignInTests {
    /// An account without a password and without factors has no challenge to answer.
    private static let required = AuthError.stepUpRequired(StepUpRequirement(maximumAgeSeconds: 300))

    @Test(arguments: [(0.0, true), (299, true), (301, false), (3000, false)])
    func `PT-12: deletes an account without a password only within five minutes of its sign-in`(
        age: Double, isDeleted: Bool
    ) async throws {
        let scene = try BrowserWorld()
        let signedIn = try await scene.signIn()
        scene.world.clock.advance(by: .seconds(age))
        let refusal = await OstiaryEngineTests.refusal {
            try await scene.world.engine.perform(DeleteAccount(accessToken: signedIn.tokens.accessToken))
        }
        #expect(refusal == (isDeleted ? nil : Self.required))
        // The session continues if the account was not deleted.
        let use = await OstiaryEngineTests.refusal { try await scene.world.use(signedIn.tokens) }
        #expect(use == (isDeleted ? .invalidAccessToken : nil))
    }

    @Test func `PT-12: deletes it after another sign-in`() async throws {
        let scene = try BrowserWorld()
        let old = try await scene.signIn().tokens
        scene.world.clock.advance(by: .seconds(600))
        await #expect(throws: Self.required) {
            try await scene.world.engine.perform(DeleteAccount(accessToken: old.accessToken))
        }
        let new = try await scene.signIn().tokens
        _ = try await scene.world.engine.perform(DeleteAccount(accessToken: new.accessToken))
    }
}
