import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryIdentities

@Suite(.timeLimit(.minutes(5))) struct CognitoChallengeTests {
    private let step = CredentialProviderStep(name: "SMS_MFA", session: "s-1", username: "ada", lifetimeSeconds: 180)

    @Test(arguments: ["SMS_MFA", "SOFTWARE_TOKEN_MFA", "NEW_PASSWORD_REQUIRED", "SOMETHING_OF_2031"])
    func `UP-07 offers any challenge as a step, and gives no session`(name: String) async throws {
        let cognito = try await ScriptedCognito(
            ScriptedCognito.challenge(name, parameters: ["USER_ID_FOR_SRP": "0b1c2d3e", "USERNAME": "ada"]))
        let step = CredentialProviderStep(
            name: name, session: "session-of-challenge", username: "0b1c2d3e", lifetimeSeconds: 180)
        #expect(try await cognito.signIn() == .step(step))
    }

    @Test func `UP-07 gives no session where a challenge comes with tokens`() async throws {
        let cognito = try await ScriptedCognito(
            ScriptedCognito.answer([
                "ChallengeName": "SMS_MFA", "Session": "s-1",
                "AuthenticationResult": [
                    "AccessToken": "a", "IdToken": .string(ScriptedCognito.idToken()), "RefreshToken": "r",
                ],
            ]))
        #expect(try await cognito.signIn().step?.name == "SMS_MFA")
    }

    @Test func `goes on by what was typed where the pool names nobody`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.challenge("SMS_MFA"))
        #expect(try await cognito.signIn().step?.username == "ada@example.org")
    }

    @Test(
        arguments: [
            ["ChallengeName": "SMS_MFA"], ["ChallengeName": "SMS_MFA", "Session": ""],
            ["ChallengeName": 7, "Session": "s"],
            ["ChallengeName": "", "Session": "s"], ["ChallengeName": "SMS MFA", "Session": "s"],
            ["ChallengeName": .string(String(repeating: "A", count: 65)), "Session": "s"],
        ] as [JSON])
    func `takes no challenge that cannot be answered`(body: JSON) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.answer(body))
        let problem = UpstreamProblem.unexpectedAnswer(
            origin: cognito.credentialProvider.api.origin, reason: "a challenge without name or session")
        await #expect(throws: problem) { try await cognito.signIn() }
    }

    @Test func `sends an answer with the pool's username and the proof of it`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted())
        let answer = try await cognito.credentialProvider.answer(step, ["SMS_MFA_CODE": Secret("123456")])
        #expect(answer.identity?.subject == "0b1c2d3e")
        let request = try #require(await cognito.requests().first)
        #expect(request["target"] == "AWSCognitoIdentityProviderService.RespondToAuthChallenge")
        let hash = SecretHash.make(
            username: "ada", clientID: "client7", clientSecret: Secret(ScriptedCognito.clientSecret))
        #expect(
            request["body"] == [
                "ChallengeName": "SMS_MFA", "ClientId": "client7", "Session": "s-1",
                "ChallengeResponses": [
                    "USERNAME": "ada", "SECRET_HASH": .string(hash.reveal()), "SMS_MFA_CODE": "123456",
                ],
            ])
    }

    @Test func `lets nobody say who signs in by an answer`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted())
        let answers = ["USERNAME": Secret("eve"), "SECRET_HASH": Secret("x"), "SMS_MFA_CODE": Secret("123456")]
        _ = try await cognito.credentialProvider.answer(step, answers)
        let responses = try #require(await cognito.requests().first?["body"]?["ChallengeResponses"])
        #expect(responses["USERNAME"] == "ada")
        #expect(responses["SECRET_HASH"] != "x")
    }

    @Test func `carries attributes that come with a new password`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted())
        let answers = ["NEW_PASSWORD": Secret("n"), "userAttributes.custom:team": Secret("t")]
        _ = try await cognito.credentialProvider.answer(step, answers)
        let responses = try #require(await cognito.requests().first?["body"]?["ChallengeResponses"])
        #expect(responses["userAttributes.custom:team"] == "t")
    }

    @Test(arguments: ["", "A B", "A\u{0}", "Ä", "A-B", "A\"", String(repeating: "A", count: 65)])
    func `refuses answers with names that Cognito has no use for, without asking`(name: String) async throws {
        let cognito = try await ScriptedCognito()
        await #expect(throws: CredentialProviderRefusal.refused) {
            try await cognito.credentialProvider.answer(step, [name: Secret("123456")])
        }
        #expect(try await cognito.requests().isEmpty)
    }

    @Test func `refuses more and longer answers than there can be`() throws {
        let many = Dictionary(uniqueKeysWithValues: (0...ChallengeAnswers.maximumCount).map { ("A\($0)", Secret("1")) })
        #expect(ChallengeAnswers(many) == nil)
        #expect(ChallengeAnswers(["A": Secret(String(repeating: "1", count: 8193))]) == nil)
        #expect(ChallengeAnswers(["A": Secret(String(repeating: "1", count: 8192))]) != nil)
    }

    @Test(arguments: [
        "CodeMismatchException", "ExpiredCodeException", "NotAuthorizedException", "InvalidParameterException",
    ])
    func `refuses wrong, late and impossible answers alike`(type: String) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.fault(type, "Invalid code for ada."))
        await #expect(throws: CredentialProviderRefusal.refused) {
            try await cognito.credentialProvider.answer(step, ["SMS_MFA_CODE": Secret("000000")])
        }
    }

    @Test(arguments: [
        "InvalidPasswordException", "InvalidParameterException", "PasswordHistoryPolicyViolationException",
    ])
    func `says that a new password is not good enough`(type: String) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.fault(type, "Too short."))
        var step = step
        step.name = "NEW_PASSWORD_REQUIRED"
        await #expect(throws: CredentialProviderRefusal.passwordUnacceptable) {
            try await cognito.credentialProvider.answer(step, ["NEW_PASSWORD": Secret("short")])
        }
    }
}
