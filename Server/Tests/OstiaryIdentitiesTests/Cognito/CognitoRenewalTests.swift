import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryIdentities

@Suite(.timeLimit(.minutes(5))) struct CognitoRenewalTests {
    private let session = CognitoSession(username: "0b1c2d3e", refreshToken: Secret("refresh-1"))
    private let rotating = CognitoSession(username: "0b1c2d3e", refreshToken: Secret("refresh-1"), rotates: true)

    private func targets(_ cognito: ScriptedCognito) async throws -> [String] {
        try await cognito.requests().map { String($0["target"]?.text?.split(separator: ".").last ?? "") }
    }

    @Test func `keeps the pool's username and the refresh token of a sign-in`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted())
        let bytes = try #require(await cognito.signIn().session)
        #expect(CognitoSession(bytes) == CognitoSession(username: "ada", refreshToken: Secret("refresh-1")))
    }

    @Test func `keeps the subject where the pool names nobody`() async throws {
        let token = ScriptedCognito.idToken(["cognito:username": .null])
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted(token))
        let bytes = try #require(await cognito.signIn().session)
        #expect(CognitoSession(bytes)?.username == "0b1c2d3e")
    }

    @Test func `proves the secret with the pool's username`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.renewed())
        #expect(try await cognito.credentialProvider.renew(session.bytes) == session.bytes)
        let hash = SecretHash.make(
            username: "0b1c2d3e", clientID: "client7", clientSecret: Secret(ScriptedCognito.clientSecret))
        #expect(
            try await cognito.requests().first?["body"] == [
                "AuthFlow": "REFRESH_TOKEN_AUTH", "ClientId": "client7",
                "AuthParameters": ["REFRESH_TOKEN": "refresh-1", "SECRET_HASH": .string(hash.reveal())],
            ])
    }

    @Test(arguments: [
        ("NotAuthorizedException", "Refresh token rotation is enabled for this client."),
        ("NotAuthorizedException", "Invalid Refresh Token"),
        ("InvalidParameterException", "REFRESH_TOKEN_AUTH flow not enabled for this client"),
        ("UnsupportedOperationException", ""),
    ])
    func `rotates where the client has it so, and remembers that`(type: String, message: String) async throws {
        let cognito = try await ScriptedCognito(
            ScriptedCognito.fault(type, message), ScriptedCognito.renewed("refresh-2"),
            ScriptedCognito.renewed("refresh-3"))
        let second = try await cognito.credentialProvider.renew(session.bytes)
        #expect(CognitoSession(second)?.refreshToken == Secret("refresh-2"))
        let third = try await cognito.credentialProvider.renew(second)
        #expect(CognitoSession(third)?.refreshToken == Secret("refresh-3"))
        let expected = ["InitiateAuth", "GetTokensFromRefreshToken", "GetTokensFromRefreshToken"]
        #expect(try await targets(cognito) == expected)
    }

    @Test func `rotates with the secret itself`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.renewed("refresh-2"))
        _ = try await cognito.credentialProvider.renew(rotating.bytes)
        #expect(
            try await cognito.requests().first?["body"] == [
                "ClientId": "client7", "ClientSecret": .string(ScriptedCognito.clientSecret),
                "RefreshToken": "refresh-1",
            ])
    }

    @Test func `asks again at once when the answer to a rotation was lost`() async throws {
        for lost: JSON in [["how": "broken"], ScriptedCognito.text("", status: 502)] {
            let cognito = try await ScriptedCognito(lost, ScriptedCognito.renewed("refresh-2"))
            let renewed = try await cognito.credentialProvider.renew(rotating.bytes)
            #expect(CognitoSession(renewed)?.refreshToken == Secret("refresh-2"))
        }
    }

    @Test(arguments: [
        ("NotAuthorizedException", "Refresh Token has been revoked"),
        ("NotAuthorizedException", "Refresh Token has expired"), ("NotAuthorizedException", "User is disabled."),
        ("UserNotFoundException", "User does not exist."), ("RefreshTokenReuseException", ""),
    ])
    func `EN-08 refuses whoever may not go on, and asks no further`(type: String, message: String) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.fault(type, message))
        await #expect(throws: CredentialProviderRefusal.refused) {
            try await cognito.credentialProvider.renew(session.bytes)
        }
        #expect(try await cognito.requests().count == 1)
    }

    @Test func `refuses when both ways of asking are refused`() async throws {
        let cognito = try await ScriptedCognito(
            ScriptedCognito.fault("NotAuthorizedException", "Invalid Refresh Token"),
            ScriptedCognito.fault("NotAuthorizedException", "Invalid Refresh Token"))
        await #expect(throws: CredentialProviderRefusal.refused) {
            try await cognito.credentialProvider.renew(session.bytes)
        }
    }

    @Test func `believes the first refusal where there is no second way`() async throws {
        let cognito = try await ScriptedCognito(
            ScriptedCognito.fault("NotAuthorizedException", "Invalid Refresh Token"),
            ScriptedCognito.fault("UnknownOperationException"))
        await #expect(throws: CredentialProviderRefusal.refused) {
            try await cognito.credentialProvider.renew(session.bytes)
        }
    }

    @Test func `ends nobody's session for a wrong client secret`() async throws {
        let message = "Unable to verify secret hash for client client7"
        let cognito = try await ScriptedCognito(ScriptedCognito.fault("NotAuthorizedException", message))
        let problem = UpstreamProblem.clientRefused(origin: cognito.credentialProvider.api.origin)
        await #expect(throws: problem) { try await cognito.credentialProvider.renew(session.bytes) }
    }

    @Test func `ends nobody's session while Cognito is away`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.text("<html>", status: 503))
        let problem = UpstreamProblem.status(503, origin: cognito.credentialProvider.api.origin)
        await #expect(throws: problem) { try await cognito.credentialProvider.renew(session.bytes) }
    }

    @Test func `takes no renewal without an access token`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.answer(["AuthenticationResult": [:]]))
        let problem = UpstreamProblem.unexpectedAnswer(
            origin: cognito.credentialProvider.api.origin, reason: "no access token")
        await #expect(throws: problem) { try await cognito.credentialProvider.renew(session.bytes) }
    }

    @Test(arguments: ["", "{}", "[1]", #"{"username":"ada"}"#])
    func `refuses a session that it cannot read, so that the person signs in again`(text: String) async throws {
        let cognito = try await ScriptedCognito()
        await #expect(throws: CredentialProviderRefusal.refused) {
            try await cognito.credentialProvider.renew(Array(text.utf8))
        }
    }

    @Test func `revokes the refresh token of a session that ended`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.answer([:]))
        await cognito.credentialProvider.end(session.bytes)
        let request = try #require(await cognito.requests().first)
        #expect(request["target"] == "AWSCognitoIdentityProviderService.RevokeToken")
        #expect(
            request["body"] == [
                "ClientId": "client7", "ClientSecret": .string(ScriptedCognito.clientSecret), "Token": "refresh-1",
            ])
    }

    @Test func `lets a session end that Cognito does not let go of`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.text("", status: 500))
        await cognito.credentialProvider.end(session.bytes)
        #expect(try await cognito.requests().count == 1)
    }
}
