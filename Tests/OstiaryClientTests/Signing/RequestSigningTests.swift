import Foundation
@testable import OstiaryClient
import OstiaryContracts
import OstiaryCore
import Synchronization
import Testing

/// Getting the key, signing, and mending a refusal once.
@Suite struct RequestSigningTests {
    /// A server that judges signatures by its clock and key, without a socket.
    private final class Peer: Sendable {
        struct State {
            var key = RequestSigningKey(id: "first", secret: Secret([1]))
            var deviceTime = RequestSigningTests.noon
            var serverTime = RequestSigningTests.noon
            var fetches = 0
            var fetchFailure: ClientError?
            var kept: [RequestSigningKey] = []
            var nonces: [String] = []
            var answers: [Int] = []
            var refusesAll = false
        }
        let state = Mutex(State())

        func answer(_ request: WireRequest) -> WireResponse {
            state.withLock { state in
                let date = "Sat, 21 Nov 2026 \(RequestSigningTests.clock(state.serverTime)) GMT"
                let input = SignedRequest(request)?.input
                if let input { state.nonces.append(input.nonce) }
                let isGood =
                    !state.refusesAll && input?.keyID == state.key.id
                    && abs((input?.created ?? 0) - Int(state.serverTime.timeIntervalSince1970)) <= 300
                state.answers.append(isGood ? 200 : 401)
                return WireResponse(
                    status: isGood ? 200 : 401,
                    headers: isGood
                        ? ["date": date] : ["date": date, "www-authenticate": SignatureRefusal.challenge])
            }
        }
    }

    /// 2026-11-21 12:00:00 UTC.
    private static let noon = Date(timeIntervalSince1970: 1_795_262_400)

    private static func clock(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970) % 86_400
        let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }

    private let peer = Peer()

    private func signing() throws -> RequestSigning { signing(try state()) }

    private func state() throws -> SigningState {
        SigningState(
            baseURL: try BaseURL("https://auth.example.com/vici"),
            now: { [peer] in peer.state.withLock(\.deviceTime) })
    }

    private func signing(_ state: SigningState) -> RequestSigning {
        RequestSigning(
            state,
            fetch: { [peer] _, _ throws(ClientError) in
                await Task.yield()
                let result: Result<RequestSigningKey, ClientError> = peer.state.withLock { state in
                    state.fetches += 1
                    return state.fetchFailure.map { .failure($0) } ?? .success(state.key)
                }
                return try result.get()
            }, keep: { [peer] key, _ in peer.state.withLock { $0.kept.append(key) } })
    }

    private func token(_ key: RequestSigningKey? = nil, session: String = "s") throws -> IssuedToken {
        IssuedToken(
            ClientSession(
                id: .init(rawValue: session), contract: "vici", baseURL: try BaseURL("https://auth.example.com/vici"),
                accountID: nil, label: "jo", accessToken: Secret("eyJ"), refreshToken: nil, issuedAt: Self.noon,
                expiresAt: nil, signingKey: key))
    }

    private let request = WireRequest(method: "POST", path: "/me", headers: ["authorization": "Bearer eyJ"])

    @discardableResult
    private func send(_ signing: RequestSigning, _ token: IssuedToken) async throws -> Int {
        try await signing.send(request, as: token) { [peer] request throws(ClientError) in peer.answer(request) }.status
    }

    @Test func `gets a key once and keeps it`() async throws {
        let signing = try signing()
        for _ in 0..<3 { #expect(try await send(signing, token()) == 200) }
        let state = peer.state.withLock { ($0.fetches, $0.kept.count, Set($0.nonces).count) }
        #expect(state == (1, 1, 3))
    }

    @Test func `gets one key for a hundred requests at once`() async throws {
        let signing = try signing()
        let token = try token()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await send(signing, token) } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(peer.state.withLock(\.fetches) == 1)
    }

    @Test func `uses the key that the session has`() async throws {
        let key = peer.state.withLock(\.key)
        #expect(try await send(signing(), token(key)) == 200)
        #expect(peer.state.withLock(\.fetches) == 0)
    }

    @Test func `has a key for each session`() async throws {
        let signing = try signing()
        try await send(signing, token(session: "a"))
        try await send(signing, token(session: "b"))
        #expect(peer.state.withLock(\.fetches) == 2)
    }

    @Test(arguments: [-86_400.0, -3600, 3600]) func `sets a wrong clock and repeats once`(ahead: TimeInterval)
        async throws
    {
        peer.state.withLock { $0.deviceTime += ahead }
        let signing = try signing()
        let key = peer.state.withLock(\.key)
        #expect(try await send(signing, token(key)) == 200)
        #expect(try await send(signing, token(key)) == 200)
        #expect(peer.state.withLock(\.answers) == [401, 200, 200])
        #expect(peer.state.withLock(\.fetches) == 0)
        #expect(peer.state.withLock { Set($0.nonces).count } == 3)
    }

    @Test func `sets the clock by answers that are no refusals`() async throws {
        let signing = try signing()
        let key = peer.state.withLock(\.key)
        peer.state.withLock { $0.deviceTime += 200 }
        try await send(signing, token(key))
        peer.state.withLock { $0.deviceTime += 200 }
        peer.state.withLock { $0.serverTime += 200 }
        #expect(try await send(signing, token(key)) == 200)
        #expect(abs(await signing.skew.seconds + 200) <= 1)
    }

    @Test func `gets the key anew where the clock was right, and repeats once`() async throws {
        let signing = try signing()
        let stale = RequestSigningKey(id: "stale", secret: Secret([9]))
        #expect(try await send(signing, token(stale)) == 200)
        #expect(try await send(signing, token(stale)) == 200)
        #expect(peer.state.withLock(\.answers) == [401, 200, 200])
        let state = peer.state.withLock { ($0.fetches, $0.kept.map(\.id)) }
        #expect(state == (1, ["first"]))
    }

    @Test func `hands a second refusal over`() async throws {
        peer.state.withLock { $0.refusesAll = true }
        #expect(try await send(signing(), token()) == 401)
        #expect(peer.state.withLock(\.answers) == [401, 401])
    }

    @Test func `sends nothing unsigned where no key is to be had`() async throws {
        peer.state.withLock { $0.fetchFailure = .refused(.notFound) }
        let signing = try signing()
        let token = try token()
        await #expect(throws: ClientError.refused(.notFound)) { try await send(signing, token) }
        #expect(peer.state.withLock(\.answers).isEmpty)
        peer.state.withLock { $0.fetchFailure = nil }
        #expect(try await send(signing, token) == 200)
    }

    @Test func `forgets the key of a session that is over`() async throws {
        let state = try state()
        let signing = signing(state)
        try await send(signing, token())
        await state.forget(.init(rawValue: "s"))
        try await send(signing, token())
        #expect(peer.state.withLock(\.fetches) == 2)
    }
}
