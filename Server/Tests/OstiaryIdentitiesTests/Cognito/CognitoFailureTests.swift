import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import Testing

@testable import OstiaryIdentities

@Suite(.timeLimit(.minutes(5))) struct CognitoFailureTests {
    @Test func `UP-01 UP-09 is away with Cognito and back with it, and never refuses in between`() async throws {
        let cognito = try await ScriptedCognito(
            ScriptedCognito.text("<html>", status: 500), ScriptedCognito.fault("InternalErrorException", status: 500),
            ScriptedCognito.fault("NotAuthorizedException", status: 503), ["how": "broken"],
            ScriptedCognito.accepted())
        let origin = cognito.credentialProvider.api.origin
        for status in [500, 500, 503] {
            await #expect(throws: UpstreamProblem.status(status, origin: origin)) { try await cognito.signIn() }
        }
        let problem = await #expect(throws: UpstreamProblem.self) { try await cognito.signIn() }
        guard case .unreachable = problem else {
            Issue.record("\(String(describing: problem))")
            return
        }
        #expect(try await cognito.signIn().identity != nil)
    }

    @Test(arguments: ["", "garbage", "[]", #"{"a":1,"a":2}"#, "\u{FEFF}{}", #""text""#])
    func `UP-01 takes no answer that is not a JSON object`(text: String) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.text(text))
        let problem = UpstreamProblem.unexpectedAnswer(
            origin: cognito.credentialProvider.api.origin, reason: "it is not a JSON object")
        await #expect(throws: problem) { try await cognito.signIn() }
    }

    @Test func `UP-01 takes no answer that says nothing`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.answer([:]))
        await #expect(throws: UpstreamProblem.self) { try await cognito.signIn() }
    }

    @Test func `UP-01 reads no answer of ten megabytes`() async throws {
        let cognito = try await ScriptedCognito(["how": "endless"])
        let problem = UpstreamProblem.tooLarge(origin: cognito.credentialProvider.api.origin)
        await #expect(throws: problem) { try await cognito.signIn() }
    }

    @Test func `UP-01 waits for no answer for ever`() async throws {
        let cognito = try await ScriptedCognito(["how": "silent"], transport: Wires.hasty)
        let problem = UpstreamProblem.timedOut(origin: cognito.credentialProvider.api.origin)
        await #expect(throws: problem) { try await cognito.signIn() }
    }

    @Test func `is misled by no kind of error that it does not know`() async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.fault("SomethingNewException"))
        let problem = UpstreamProblem.status(400, origin: cognito.credentialProvider.api.origin)
        await #expect(throws: problem) { try await cognito.signIn() }
    }

    @Test func `UP-06 tries once more after a moment when Cognito is too busy`() async throws {
        let cognito = try await ScriptedCognito(
            ScriptedCognito.fault("TooManyRequestsException"), ScriptedCognito.accepted())
        #expect(try await cognito.signIn().identity != nil)
        #expect(cognito.pauses.all == [.milliseconds(107)])
    }

    @Test(arguments: [
        (ScriptedCognito.fault("TooManyRequestsException"), 5),
        (ScriptedCognito.fault("TooManyRequestsException", headers: ["Retry-After": "7"]), 7),
        (ScriptedCognito.fault("TooManyRequestsException", headers: ["Retry-After": "999999"]), 60),
        (ScriptedCognito.fault("TooManyRequestsException", headers: ["Retry-After": "-1"]), 1),
        (ScriptedCognito.fault("LimitExceededException"), 5),
        (ScriptedCognito.fault("TooManyFailedAttemptsException"), 5),
        (ScriptedCognito.fault("ThrottlingException", status: 503), 5),
        (ScriptedCognito.fault("SomethingNewException", status: 429), 5),
        (ScriptedCognito.text("", status: 429), 5),
    ])
    func `UP-06 says when to come back`(answer: JSON, seconds: Int) async throws {
        let cognito = try await ScriptedCognito(answer, answer)
        await #expect(throws: CredentialProviderRefusal.throttled(retryAfterSeconds: seconds)) {
            try await cognito.signIn()
        }
    }

    @Test(arguments: ["LimitExceededException", "TooManyFailedAttemptsException"])
    func `UP-06 asks no more for a person who has tried too often`(type: String) async throws {
        let cognito = try await ScriptedCognito(ScriptedCognito.fault(type))
        await #expect(throws: CredentialProviderRefusal.self) { try await cognito.signIn() }
        #expect(try await cognito.requests().count == 1)
    }
}
