import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryIdentities

/// Tests with scripted answers.
@Suite(.timeLimit(.minutes(5))) struct CognitoSignInTests {
    @Test func `asks with password and proof of the secret, and nothing else`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted())
        _ = try await cognito.signIn()
        let request = try #require(await cognito.requests().first)
        #expect(request["target"] == "AWSCognitoIdentityProviderService.InitiateAuth")
        #expect(request["type"] == "application/x-amz-json-1.1")
        let hash = SecretHash.make(
            username: "ada@example.org", clientID: "client7", clientSecret: Secret(ScriptedCognito.clientSecret))
        #expect(
            request["body"] == [
                "AuthFlow": "USER_PASSWORD_AUTH", "ClientId": "client7",
                "AuthParameters": [
                    "USERNAME": "ada@example.org", "PASSWORD": "Right-1-word", "SECRET_HASH": .string(hash.reveal()),
                ],
            ])
    }

    @Test func `sends no proof for a client without a secret`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted(), secret: false)
        _ = try await cognito.signIn()
        let parameters = try #require(await cognito.requests().first?["body"]?["AuthParameters"])
        #expect(parameters["SECRET_HASH"] == nil)
        #expect(parameters["USERNAME"] == "ada@example.org")
    }

    @Test func `takes an address for checked if the pool says so in JSON`() async throws {
        for (claim, expected): (JSON, Bool) in [(true, true), ("true", false), (1, false), (.null, false)] {
            let token = ScriptedCognito.idToken(["email_verified": claim])
            let cognito = try await ScriptedCognito(ScriptedCognito.accepted(token))
            #expect(try await cognito.signIn().identity?.isEmailVerified == expected, "\(claim)")
        }
    }

    @Test(arguments: [
        "NotAuthorizedException", "UserNotFoundException", "UserNotConfirmedException",
        "PasswordResetRequiredException", "UserLambdaValidationException",
        "com.amazonaws.cognito.identity.idp.model#UserNotFoundException",
    ])
    func `EN-08 answers alike to whatever is wrong with the person`(type: String) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.fault(type, "Something about ada."))
        await #expect(throws: CredentialProviderRefusal.refused) { try await cognito.signIn() }
    }

    @Test func `reads the kind of an error from its header too`() async throws {
        let answer = ScriptedCognito.answer(
            [:], status: 400, headers: ["x-amzn-ErrorType": "UserNotFoundException:http://example.com/"])
        let cognito = try await ScriptedCognito(answer)
        await #expect(throws: CredentialProviderRefusal.refused) { try await cognito.signIn() }
    }

    @Test(arguments: [
        ("NotAuthorizedException", "Unable to verify secret hash for client client7"),
        ("NotAuthorizedException", "Client client7 is configured with secret but SECRET_HASH was not received"),
        ("InvalidParameterException", "USER_PASSWORD_AUTH flow not enabled for this client"),
        ("ResourceNotFoundException", "User pool client client7 does not exist."), ("ForbiddenException", ""),
        ("InvalidUserPoolConfigurationException", ""),
    ])
    func `tells nobody that their password is wrong where it is our configuration`(
        type: String, message: String
    ) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.fault(type, message))
        let problem = UpstreamProblem.clientRefused(origin: cognito.credentialProvider.api.origin)
        await #expect(throws: problem) { try await cognito.signIn() }
    }

    @Test(
        arguments: [
            [:], ["iss": "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Another"], ["aud": "another"],
            ["aud": ["client7"]], ["token_use": "access"], ["exp": 1_799_999_900], ["exp": "1900000000"],
            ["exp": .null],
            ["sub": .null], ["sub": ""], ["sub": "a\u{0}b"], ["sub": .string(String(repeating: "s", count: 256))],
        ] as [[String: JSON]])
    func `UP-01 takes no ID token but one of this pool for this client`(changes: [String: JSON]) async throws {
        let token = ScriptedCognito.idToken(changes)
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted(token))
        guard !changes.isEmpty else {
            #expect(try await cognito.signIn().identity != nil)
            return
        }
        let origin = cognito.credentialProvider.api.origin
        let problem = UpstreamProblem.unexpectedAnswer(
            origin: origin, reason: "no ID token of this pool for this client")
        await #expect(throws: problem) { try await cognito.signIn() }
    }

    @Test(arguments: ["", "..", "e30.e30", "e30.e30.", "e30.e30.AQ==", "e30.e30.AQ.AQ"])
    func `takes no ID token that is none`(token: String) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted(token))
        await #expect(throws: UpstreamProblem.self) { try await cognito.signIn() }
    }

    @Test func `takes no answer without a refresh token`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted(refreshToken: .null))
        let problem = UpstreamProblem.unexpectedAnswer(
            origin: cognito.credentialProvider.api.origin, reason: "no refresh token")
        await #expect(throws: problem) { try await cognito.signIn() }
    }

    @Test(arguments: ["", "a b", "a\u{0}", "a\u{202E}b", String(repeating: "a", count: 129)])
    func `refuses what no pool has as a username without asking`(identifier: String) async throws {
        let cognito = try await ScriptedCognito()
        await #expect(throws: CredentialProviderRefusal.refused) { try await cognito.signIn(identifier) }
        #expect(try await cognito.requests().isEmpty)
    }

    @Test(arguments: ["", String(repeating: "a", count: 257)])
    func `refuses what no pool has as a password without asking`(password: String) async throws {
        let cognito = try await ScriptedCognito()
        await #expect(throws: CredentialProviderRefusal.refused) { try await cognito.signIn(password: password) }
        #expect(try await cognito.requests().isEmpty)
    }

    @Test func `asks China where China is`() {
        let settings = CognitoSettings(region: "cn-north-1", userPoolID: "cn-north-1_A", clientID: "c")
        #expect(settings.url == "https://cognito-idp.cn-north-1.amazonaws.com.cn/")
        #expect(settings.issuer == "https://cognito-idp.cn-north-1.amazonaws.com.cn/cn-north-1_A")
    }
}
