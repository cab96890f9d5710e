import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryIdentities

/// Secrets with a unique prefix, searched for in all output.
@Suite(.timeLimit(.minutes(5))) struct CognitoCanaryTests {
    private let canary = "canary-5f1d"

    private func everything(about value: Any) -> String {
        var text = "\(value) \(String(reflecting: value)) "
        dump(value, to: &text)
        return text
    }

    @Test func `OA-34 prints nothing secret with any error`() async throws {
        let answers = [
            ScriptedCognito.fault("NotAuthorizedException", "secret \(canary)"),
            ScriptedCognito.fault("NotAuthorizedException", canary),
            ScriptedCognito.fault("InvalidParameterException", canary), ScriptedCognito.fault(canary, canary),
            ScriptedCognito.fault("TooManyRequestsException", canary, headers: ["Retry-After": .string(canary)]),
            ScriptedCognito.text(canary), ScriptedCognito.text(canary, status: 500),
            ScriptedCognito.accepted(canary),
            ScriptedCognito.accepted(ScriptedCognito.idToken(["iss": .string(canary)])),
            ScriptedCognito.challenge("\(canary) "), ["how": "broken"],
        ]
        let session = CognitoSession(username: canary, refreshToken: Secret(canary))
        let step = CredentialProviderStep(name: "SMS_MFA", session: canary, username: canary, lifetimeSeconds: 180)
        var errors = 0
        for answer in answers {
            let cognito = try await ScriptedCognito(answer, answer, answer)
            let credentialProvider = cognito.credentialProvider
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await credentialProvider.signIn(canary, password: Secret(canary)) },
                { _ = try await credentialProvider.answer(step, ["SMS_MFA_CODE": Secret(canary)]) },
                { _ = try await credentialProvider.renew(session.bytes) },
            ]
            for call in calls {
                do { try await call() } catch {
                    errors += 1
                    #expect(!everything(about: error).contains(canary))
                }
            }
        }
        // A renewal requires no ID token, and succeeds with two of the answers.
        #expect(errors == answers.count * 3 - 2)
    }

    @Test func `OA-34 prints no client secret and no token with its own parts`() throws {
        let settings = CognitoSettings(region: "r", userPoolID: "p", clientID: "c", clientSecret: Secret(canary))
        let session = CognitoSession(username: "ada", refreshToken: Secret(canary))
        let response = UpstreamResponse(
            status: 400,
            body: ScriptedCognito.fault("NotAuthorizedException", canary)["body"]?.text?.utf8.map(\.self) ?? [])
        let fault = try #require(CognitoFault(response))
        for value: Any in [settings, session, fault] {
            #expect(!everything(about: value).contains(canary))
        }
    }

    @Test func `OA-34 gives out nothing of Cognito's but who it is`() async throws {
        let token = ScriptedCognito.idToken()
        let cognito = try await ScriptedCognito(ScriptedCognito.accepted(token, refreshToken: .string(canary)))
        let identity = try #require(await cognito.signIn().identity)
        #expect(
            identity
                == ProviderIdentity(
                    issuer: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI", subject: "0b1c2d3e",
                    email: try EmailAddress("ada@example.org"), isEmailVerified: true,
                    fullName: try PersonName("Ada Lovelace")))
        #expect(!everything(about: identity).contains(canary))
    }
}
