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

    @Test func `asks for a recovery code where that was chosen, or where there is nothing else`() throws {
        let both = Challenge(name: Challenge.secondFactor, token: Secret("t"), methods: [.totp, .recoveryCode])
        #expect(ChallengeForm(both, method: .recoveryCode)?.field.entry == .recoveryCode)
        #expect(ChallengeForm(both, method: .passkey) == nil)
        let one = Challenge(name: Challenge.secondFactor, token: Secret("t"), methods: [.passkey, .recoveryCode])
        #expect(ChallengeForm(one)?.field.entry == .recoveryCode)
    }

    @Test(arguments: [[], [ChallengeMethod.passkey], [ChallengeMethod(rawValue: "fax")]])
    func `has no form for methods that it does not support`(methods: [ChallengeMethod]) {
        #expect(ChallengeForm(Challenge(name: Challenge.secondFactor, token: Secret("t"), methods: methods)) == nil)
    }
}
