import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The handler that a client asks where the server requires a step-up.
@Suite(.timeLimit(.minutes(5))) struct StepUpHandlerTests {
    private static let email = "jo@example.com"
    private static let password = "a passphrase of mine"

    /// A handler that answers each challenge by the first of its methods.
    private final class Answering: StepUpHandler {
        let requirements = Mutex<[StepUpRequirement]>([])
        let answers: @Sendable (ChallengeMethod) throws(ClientError) -> String
        /// Runs before each answer.
        let before: @Sendable (AuthClient) async throws(ClientError) -> Void

        init(
            before: @escaping @Sendable (AuthClient) async throws(ClientError) -> Void = { _ in },
            _ answers: @escaping @Sendable (ChallengeMethod) throws(ClientError) -> String
        ) {
            self.before = before
            self.answers = answers
        }

        var asked: [[ChallengeMethod]] { requirements.withLock { $0.map { $0.challenge?.methods ?? [] } } }

        func stepUp(_ requirement: StepUpRequirement, with client: AuthClient) async throws(ClientError) {
            requirements.withLock { $0.append(requirement) }
            try await before(client)
            guard let challenge = requirement.challenge, let method = challenge.methods.first else {
                throw .cancelledByUser
            }
            try await client.answerStepUp(challenge, with: [method: try answers(method)])
        }
    }

    private static func signedIn(
        _ server: TestServer, asking handler: any StepUpHandler
    ) async throws -> (AuthClient, TestAuthenticator) {
        let client = try server.client { $0.stepUpHandler = handler }
        try await client.register(email: email, password: password)
        let pending = try await client.addTOTP()
        let authenticator = try #require(TestAuthenticator(uri: pending.uri.reveal()))
        _ = try await client.confirmTOTP(pending, code: authenticator.code(at: server.clock.now))
        return (client, authenticator)
    }

    @Test func `asks until the answers suffice, and repeats the call once`() async throws {
        let server = try TestServer(.vici)
        let secret = Mutex<TestAuthenticator?>(nil)
        let handler = Answering { method in
            method == .password ? Self.password : secret.withLock { $0?.code(at: server.clock.now) ?? "" }
        }
        let (client, authenticator) = try await Self.signedIn(server, asking: handler)
        secret.withLock { $0 = authenticator }
        server.clock.advance(by: .seconds(301))
        let token = try await client.accessToken()

        #expect(try await client.replaceRecoveryCodes().count == 10)
        #expect(handler.asked == [[.password, .totp, .recoveryCode], [.totp, .recoveryCode]])
        #expect(server.count(of: .replaceRecoveryCodes) == 2)
        // The token of the answer says when and how the person authenticated; the earlier one does not.
        #expect(try await client.accessToken() != token)
        #expect(try await client.stepUp(acr: .aal2, maxAge: .seconds(300)).level == .aal2)
        #expect(handler.asked.count == 2)
    }

    @Test func `asks for requests of the app's own API, whose answer states the requirement alone`() async throws {
        let server = try TestServer(.vici)
        server.route("POST", "/payments", maxAge: .seconds(300)) { _ in .json(#""paid""#) }
        let handler = Answering { _ in Self.password }
        let client = try server.client { $0.stepUpHandler = handler }
        try await client.register(email: Self.email, password: Self.password)
        server.clock.advance(by: .seconds(301))
        let answer: String = try await client.post("/payments")
        #expect(answer == "paid")
        #expect(handler.asked == [[.password]])
        #expect(handler.requirements.withLock { $0.map(\.maximumAgeSeconds) } == [300])
    }

    @Test func `without a handler the request of the app ends with the requirement`() async throws {
        let server = try TestServer(.vici)
        server.route("POST", "/payments", acr: .aal2) { _ in .json("{}") }
        let client = try server.client()
        try await client.register(email: Self.email, password: Self.password)
        await #expect(throws: ClientError.refused(.stepUpRequired(StepUpRequirement(level: .aal2)))) {
            try await client.post("/payments")
        }
        let (_, response) = try await client.data(for: URLRequest(url: server.url.appending(path: "payments")))
        #expect(response.statusCode == 404)
        var request = URLRequest(url: server.url.appending(path: "payments"))
        request.httpMethod = "POST"
        #expect(try await client.data(for: request).1.statusCode == 403)
    }

    @Test func `a person who declines ends the call, and the next call asks again`() async throws {
        let server = try TestServer(.vici)
        let handler = Answering { _ throws(ClientError) in throw .cancelledByUser }
        let client = try server.client { $0.stepUpHandler = handler }
        try await client.register(email: Self.email, password: Self.password)
        server.clock.advance(by: .seconds(301))
        for count in 1...2 {
            await #expect(throws: ClientError.cancelledByUser) { try await client.addTOTP() }
            #expect(handler.asked.count == count)
        }
        #expect(client.isAuthenticated)
    }

    @Test func `asks once for calls that are refused at the same time`() async throws {
        let server = try TestServer(.vici)
        // The first of the handler's steps waits until every call was refused.
        let handler = Answering(
            before: { _ in try? await server.performed(3, .beginTOTP) }, { _ in Self.password })
        let client = try server.client { $0.stepUpHandler = handler }
        try await client.register(email: Self.email, password: Self.password)
        server.clock.advance(by: .seconds(301))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { _ = try await client.addTOTP() } }
            try await group.waitForAll()
        }
        #expect(handler.asked.count == 1)
        #expect(server.count(of: .beginTOTP) == 6)
    }

    /// A handler that waits for ``time`` before its first answer. It ends when its task is cancelled.
    private static func pausing(_ time: TestClock) -> Answering {
        let isFirst = Mutex(true)
        return Answering(
            before: { _ throws(ClientError) in
                let waits = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                guard waits else { return }
                do { try await time.sleep(for: .seconds(1)) } catch { throw .cancelled }
            }, { _ in Self.password })
    }

    private static func addTOTP(_ client: AuthClient) -> Task<ClientError?, Never> {
        Task {
            do throws(ClientError) {
                _ = try await client.addTOTP()
                return nil
            } catch { return error }
        }
    }

    @Test func `a cancelled call ends its question, and the next call asks again`() async throws {
        let server = try TestServer(.vici)
        let time = TestClock()
        let handler = Self.pausing(time)
        let client = try server.client { $0.stepUpHandler = handler }
        try await client.register(email: Self.email, password: Self.password)
        server.clock.advance(by: .seconds(301))
        let call = Self.addTOTP(client)
        try await time.sleepers(1)
        call.cancel()
        #expect(await call.value == .cancelled)
        #expect(await Self.addTOTP(client).value == nil)
        #expect(handler.asked.count == 2)
        #expect(time.sleepers.isEmpty)
    }

    @Test func `a cancelled call leaves the question to the others`() async throws {
        let server = try TestServer(.vici)
        let time = TestClock()
        let handler = Self.pausing(time)
        let client = try server.client { $0.stepUpHandler = handler }
        try await client.register(email: Self.email, password: Self.password)
        server.clock.advance(by: .seconds(301))
        let first = Self.addTOTP(client)
        try await time.sleepers(1)
        let second = Self.addTOTP(client)
        try await server.performed(2, .beginTOTP)
        second.cancel()
        #expect(await second.value == .cancelled)
        time.advance(by: .seconds(1))
        #expect(await first.value == nil)
        #expect(handler.asked.count == 1)
    }

    @Test func `a call of the handler itself is not handled again`() async throws {
        let server = try TestServer(.vici)
        let handler = Answering(before: { client throws(ClientError) in _ = try await client.addTOTP() }, { _ in "" })
        let client = try server.client { $0.stepUpHandler = handler }
        try await client.register(email: Self.email, password: Self.password)
        server.clock.advance(by: .seconds(301))
        await #expect { try await client.addTOTP() } throws: { error in
            guard case .refused(.stepUpRequired(let requirement))? = error as? ClientError else { return false }
            return requirement.challenge != nil
        }
    }

    @Test func `a call is never repeated as another person`() async throws {
        let server = try TestServer(.vici)
        try server.addAccount(email: "kim@example.com", password: Self.password)
        let client = try server.client { $0.stepUpHandler = Switching() }
        try await client.register(email: Self.email, password: Self.password)
        server.clock.advance(by: .seconds(301))
        await #expect(throws: ClientError.notSignedIn) { try await client.addTOTP() }
        #expect(server.count(of: .beginTOTP) == 1)
        #expect(client.currentUser?.email?.text == "kim@example.com")
    }

    @Test(arguments: [true, false])
    func `a password is never changed as another person`(_ isFirst: Bool) async throws {
        let server = try TestServer(.vici)
        try server.addAccount(email: "kim@example.com", password: Self.password)
        let client = try server.client { $0.stepUpHandler = Switching() }
        try await client.register(email: Self.email, password: Self.password)
        server.clock.advance(by: .seconds(301))
        server.refuse(
            .operation(.changePassword, of: .vici),
            with: .stepUpRequired(StepUpRequirement(maximumAgeSeconds: 300)), times: 1)
        let other = "another passphrase of mine"
        await #expect(throws: ClientError.notSignedIn) {
            if isFirst {
                try await client.setPassword(other)
            } else {
                try await client.changePassword(from: Self.password, to: other)
            }
        }
        #expect(server.count(of: .changePassword) == 0)
        #expect(client.currentUser?.email?.text == "kim@example.com")
    }

    /// A handler under which another person signs in.
    private struct Switching: StepUpHandler {
        func stepUp(_ requirement: StepUpRequirement, with client: AuthClient) async throws(ClientError) {
            _ = try await client.signOut()
            try await client.signIn(email: "kim@example.com", password: StepUpHandlerTests.password)
        }
    }
}
