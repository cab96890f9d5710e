import Foundation
import OstiaryContracts
import OstiaryCore
import Synchronization
import Testing

@testable import OstiaryClient

/// What a stored session does when its access token has run out.
struct RefreshTests {
    private let request = WireRequest(method: "GET", path: "/things")

    /// Refreshes with the answers in turn, the last one again and again; anything else succeeds.
    private func transport(
        _ answers: [Result<WireResponse, TransportError>], onRefresh: @escaping @Sendable () async -> Void = {}
    ) -> ScriptedTransport {
        let next = Mutex(0)
        return ScriptedTransport { call throws(TransportError) in
            guard call.isRefresh else { return .ok }
            await onRefresh()
            let index = next.withLock { next in
                defer { next += 1 }
                return min(next, answers.count - 1)
            }
            return try answers[index].get()
        }
    }

    private func expired(_ transport: any Transport, left: TimeInterval = -1) async throws -> StoredAccount {
        let account = try StoredAccount(transport: transport)
        try await account.put(1)
        account.time.pass(.seconds(3600 - left))
        return account
    }

    // MARK: When

    @Test(arguments: [(11.0, 0), (10.0, 1), (1.0, 1), (0.0, 1), (-100.0, 1)])
    func `refreshes first when ten seconds or less remain`(_ left: TimeInterval, _ refreshes: Int) async throws {
        let transport = transport([.success(.tokens(2))])
        let account = try await expired(transport, left: left)
        _ = try await account.session.send(request)
        #expect(transport.calls.count { $0.isRefresh } == refreshes)
        #expect(transport.calls.last?.bearer == (refreshes == 0 ? "access-1" : "access-2"))
    }

    @Test func `leaves a short-lived token half of its life`() async throws {
        let transport = transport([.success(.tokens(2))])
        let account = try StoredAccount(transport: transport)
        try await account.put(1, lasting: 8)
        account.time.pass(.seconds(3))
        _ = try await account.session.send(request)
        #expect(transport.summary == ["access-1"])
        account.time.pass(.seconds(1))
        _ = try await account.session.send(request)
        #expect(transport.summary == ["access-1", "/refresh", "access-2"])
    }

    @Test func `uses a token of unknown expiry`() async throws {
        let transport = transport([.success(.tokens(2))])
        let account = try StoredAccount(contract: .vici, transport: transport)
        let tokens = Tokens(accessToken: Secret("opaque"), expiresIn: nil, refreshToken: Secret("r"))
        try await account.session.begin(SignedIn(tokens: tokens, user: nil), account: "jo")
        account.time.pass(.seconds(86_400))
        _ = try await account.session.send(request)
        #expect(transport.summary == ["opaque"])
    }

    // MARK: What a failed refresh means

    @Test(arguments: [
        AuthError.refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .refreshTokenInvalid, .sessionRevoked,
        .accountDisabled,
    ])
    func `clears the session on a definite refusal and says why`(_ refusal: AuthError) async throws {
        let transport = transport([.success(.refusal(refusal))])
        let account = try await expired(transport)
        await #expect(throws: SessionFailure.ended(refusal)) { try await account.session.send(request) }
        #expect(await account.store.read() == .absent)
        #expect(transport.summary == ["/refresh"])
        await #expect(throws: SessionFailure.notSignedIn) { try await account.session.send(request) }
    }

    @Test func `clears the session on a bare 401 of an original backend`() async throws {
        let account = try await expired(transport([.success(.unauthorized)]))
        await #expect(throws: SessionFailure.ended(.refreshTokenInvalid)) { try await account.session.send(request) }
        #expect(await account.store.read() == .absent)
    }

    @Test func `takes a sibling's token that is there after a definite refusal`() async throws {
        let account = Reference<StoredAccount>()
        let transport = transport([.success(.refusal(.refreshTokenReused))]) {
            // A sibling that does not know the lock.
            guard let made = account.value, case .found(let record) = await made.store.read() else { return }
            let other = record.renewed(
                with: Tokens(
                    accessToken: Secret("access-7"), expiresIn: .seconds(3600), refreshToken: Secret("refresh-7")),
                at: made.time.now)
            let path = "\(made.store.directory)/\(made.store.name)"
            try? Data(other.bytes).write(to: URL(fileURLWithPath: path))
        }
        let made = try await expired(transport)
        account.value = made
        defer { account.value = nil }
        #expect(try await made.session.send(request).status == 200)
        #expect(transport.summary == ["/refresh", "access-7"])
        #expect(await made.number() == 7)
    }

    @Test(arguments: [
        (
            WireResponse(status: 400, body: Array("{\"detail\":\"no\"}".utf8)),
            AuthError.rejected(status: 400, message: "no")
        ),
        (WireResponse(status: 403), .forbidden),
        (WireResponse(status: 404, body: Array("<html>".utf8)), .rejected(status: 404, message: unreadable)),
        (WireResponse(status: 200, body: Array("<html>".utf8)), .rejected(status: 200, message: unreadable)),
        (WireResponse(status: 401, body: Array("<html>".utf8)), .rejected(status: 401, message: unreadable)),
        (WireResponse(status: 429, headers: ["retry-after": "42"]), .tooManyAttempts(retryAfterSeconds: 42)),
    ])
    func `keeps the session on any other refusal, and asks once`(_ answer: WireResponse, _ refusal: AuthError)
        async throws
    {
        let transport = transport([.success(answer)])
        let account = try await expired(transport)
        await #expect(throws: SessionFailure.refused(refusal)) { try await account.session.send(request) }
        #expect(transport.summary == ["/refresh"])
        #expect(await account.number() == 1)
    }

    private static let unreadable = "The server's answer could not be understood."

    @Test(arguments: [408, 425, 500, 502, 503])
    func `asks three times more, later and later, when the server fails`(_ status: Int) async throws {
        let transport = transport([.success(WireResponse(status: status))])
        let account = try await expired(transport)
        await #expect(throws: SessionFailure.refused(.unavailable(incident: ""))) {
            try await account.session.send(request)
        }
        #expect(transport.summary == ["/refresh", "/refresh", "/refresh", "/refresh"])
        #expect(account.time.sleeps == [.seconds(1), .seconds(2), .seconds(4)])
        #expect(await account.number() == 1)
    }

    @Test func `goes on when the server has recovered`() async throws {
        let transport = transport([.success(WireResponse(status: 503)), .success(.tokens(2))])
        let account = try await expired(transport)
        #expect(try await account.session.send(request).status == 200)
        #expect(transport.summary == ["/refresh", "/refresh", "access-2"])
    }

    @Test(arguments: [TransportError.offline, .timedOut, .untrusted, .notHTTP, .tooLarge(maximumBytes: 1)])
    func `keeps the session without an answer, and asks once`(_ error: TransportError) async throws {
        let transport = transport([.failure(error)])
        let account = try await expired(transport)
        await #expect(throws: SessionFailure.unreachable(error)) { try await account.session.send(request) }
        #expect(transport.summary == ["/refresh"])
        #expect(await account.number() == 1)
    }

    @Test func `asks at once with the same token when the answer was lost`() async throws {
        let transport = transport([.failure(.connectionLost), .success(.tokens(2))])
        let account = try await expired(transport)
        #expect(try await account.session.send(request).status == 200)
        #expect(account.time.sleeps.isEmpty)
        let bodies = transport.calls.filter(\.isRefresh).map(\.bodyText)
        #expect(bodies == ["{\"refresh_token\":\"refresh-1\"}", "{\"refresh_token\":\"refresh-1\"}"])
    }

    @Test func `gives a refresh and its repetitions 15 s from reading the store`() async throws {
        let account = Reference<StoredAccount>()
        let transport = transport([.failure(.connectionLost)]) { account.value?.time.pass(.seconds(6)) }
        let made = try await expired(transport)
        account.value = made
        defer { account.value = nil }
        await #expect(throws: SessionFailure.unreachable(.connectionLost)) { try await made.session.send(request) }
        #expect(transport.calls.map(\.deadline) == [.seconds(15), .seconds(9), .seconds(3)])
    }

    @Test func `uses the old token while it has time and the refresh fails for a passing reason`() async throws {
        let failures: [Result<WireResponse, TransportError>] = [
            .failure(.offline), .success(WireResponse(status: 429)), .success(WireResponse(status: 404)),
        ]
        for failure in failures {
            let transport = transport([failure])
            let account = try await expired(transport, left: 5)
            #expect(try await account.session.send(request).status == 200)
            #expect(transport.summary == ["/refresh", "access-1"])
        }
    }

    @Test func `does not use the old token after a definite refusal`() async throws {
        let transport = transport([.success(.refusal(.sessionRevoked))])
        let account = try await expired(transport, left: 5)
        await #expect(throws: SessionFailure.ended(.sessionRevoked)) { try await account.session.send(request) }
    }

    @Test func `does not use new tokens that cannot be saved`() async throws {
        let account = Reference<StoredAccount>()
        let transport = transport([.success(.tokens(2))]) {
            guard let store = account.value?.store else { return }
            try? FileManager.default.createDirectory(
                atPath: "\(store.directory)/\(store.name).new", withIntermediateDirectories: false)
        }
        let made = try await expired(transport)
        account.value = made
        defer { account.value = nil }
        let draft = "\(made.store.directory)/\(made.store.name).new"
        await #expect(throws: SessionFailure.store(.system(path: draft, code: EEXIST))) {
            try await made.session.send(request)
        }
        #expect(transport.summary == ["/refresh"])
        #expect(await made.number() == 1)
    }

    // MARK: Several processes

    @Test(.timeLimit(.minutes(1)))
    func `refreshes once for ten commands that find the token expired`() async throws {
        let readers = AsyncStream.makeStream(of: Void.self)
        let transport = transport([.success(.tokens(2)), .success(.refusal(.refreshTokenReused))]) {
            // The answer waits until every command has seen the expired token.
            var count = 0
            for await _ in readers.stream {
                count += 1
                if count == 10 { break }
            }
        }
        let account = try StoredAccount(transport: transport)
        try await account.put(1, lasting: 0)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                let one = try StoredAccount(home: account.home, transport: transport) { store in
                    WatchedStore(store: store) { readers.continuation.yield() }
                }
                group.addTask { try await one.session.send(request).status }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(transport.calls.count { $0.isRefresh } == 1)
        #expect(transport.calls.count { $0.bearer == "access-2" } == 10)
    }
}

/// A store that tells when it was read without its lock.
private struct WatchedStore: TokenStore {
    let store: FileTokenStore
    let wasRead: @Sendable () -> Void

    func read() async -> StoredSession {
        defer { wasRead() }
        return await store.read()
    }

    func lock() async throws(TokenStoreProblem) -> any LockedTokenStore { try await store.lock() }
}
