import OstiaryCore
import OstiaryUI
import Testing

/// The form for a further step of a sign-in.
@Suite struct ChallengeFormTests {
    @Test func `asks for the code of an authenticator app`() throws {
        let challenge = Challenge(
            name: Challenge.secondFactor, token: Secret("t"), methods: [.passkey, .totp, .recoveryCode])
        let form = try #require(ChallengeForm(challenge))
        #expect(form.field.entry == .code)
    }

    @Test(arguments: [[], [ChallengeMethod.passkey], [.recoveryCode]])
    func `has no form for methods that it does not support`(methods: [ChallengeMethod]) {
        #expect(ChallengeForm(Challenge(name: Challenge.secondFactor, token: Secret("t"), methods: methods)) == nil)
    }
}
