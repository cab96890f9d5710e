import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// The token that a request gets.
struct TokenTests {
    @Test func `1,000 reads of a fresh token look at the store never`() async throws {
        let device = try Device()
        try await device.signIn()
        let before = device.store.counts
        for _ in 0..<1000 { #expect(try await device.token() == "access-1") }
        #expect(device.store.counts == before)
        #expect(device.network.calls(.refresh(of: .clarity)).isEmpty)
    }

    @Test func `with less than the lead left, it is used now and replaced meanwhile`() async throws {
        let device = try Device()
        try await device.signIn()
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        device.clock.advance(by: .seconds(3550))
        #expect(try await device.token() == "access-1")
        try await point.arrivals(1)
        #expect(try await device.token() == "access-1")
        point.open()
        try await device.store.counts { $0.writes == 2 }
        #expect(device.stored == "access-2")
        #expect(device.refreshes == 1)
    }

    @Test func `with ten seconds left, it is replaced first`() async throws {
        let device = try Device()
        try await device.signIn()
        device.clock.advance(by: .seconds(3590))
        #expect(try await device.token() == "access-2")
        #expect(device.stored == "access-2")
    }

    @Test func `one of unknown end is used until it is refused`() async throws {
        let device = try Device(.vici)
        await device.keeper.beginSession(
            SignedIn(
                tokens: Tokens(accessToken: Secret("opaque"), expiresIn: nil, refreshToken: Secret("refresh-1")),
                user: try Device.user("jo")), label: "jo")
        device.clock.advance(by: .seconds(864_000))
        #expect(try await device.token() == "opaque")
        #expect(device.client.hasValidToken)
    }

    // MARK: Single flight

    @Test func `100 callers of an expired token make one refresh`() async throws {
        let device = try Device()
        try await device.signIn()
        device.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try await device.token() } }
            try await point.arrivals(1)
            point.open()
            for try await token in group { #expect(token == "access-2") }
        }
        #expect(device.refreshes == 1)
    }

    @Test func `a caller that gives up does not take the refresh from the others`() async throws {
        let device = try Device()
        try await device.signIn()
        device.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        let first = Task { try await device.token() }
        try await point.arrivals(1)
        let second = Task { try await device.token() }
        first.cancel()
        point.open()
        #expect(try await second.value == "access-2")
        #expect(device.refreshes == 1)
        #expect(device.stored == "access-2")
    }

    // MARK: What a failed refresh means

    static let passing: [(Reaction, ClientError)] = [
        (.status(503), .temporarilyUnavailable),
        (.status(500, body: "<html>"), .temporarilyUnavailable),
        (.status(408), .temporarilyUnavailable),
        (.offline, .offline),
        (.timedOut, .network(.timedOut)),
        (.dropped, .network(.connectionLost)),
        (.failure(.pinMismatch), .certificatePinningFailed),
        (.failure(.untrusted), .network(.untrusted)),
        (
            .status(200, body: "<html>hotel</html>"),
            .refused(.rejected(status: 200, message: "The server's answer could not be understood."))
        ),
        (.status(401, headers: ["content-type": "text/html"], body: "<html>proxy</html>"), .invalidResponse),
        (.json("{\"detail\":\"no\"}", status: 400), .refused(.rejected(status: 400, message: "no"))),
    ]

    @Test(arguments: passing.indices)
    func `9 s left and the refresh fails for a passing reason: the token is returned`(_ index: Int) async throws {
        let device = try Device()
        try await device.signIn()
        device.onRefresh(Self.passing[index].0)
        device.clock.advance(by: .seconds(3591))
        #expect(try await device.token() == "access-1")
        #expect(device.refreshes > 0)
        #expect(device.client.isAuthenticated)
        #expect(device.stored == "access-1")
    }

    @Test(arguments: passing.indices)
    func `nothing left and the refresh fails for a passing reason: the caller is told, the session kept`(
        _ index: Int
    ) async throws {
        let device = try Device()
        try await device.signIn()
        let (reaction, error) = Self.passing[index]
        device.onRefresh(reaction, times: 4)
        device.clock.advance(by: .seconds(4000))
        await #expect(throws: error) { try await device.token() }
        #expect(device.client.isAuthenticated)
        #expect(!device.client.hasValidToken)
        // However long it was to wait.
        device.network.removeRules()
        device.clock.advance(by: .seconds(301))
        #expect(try await device.token() == "access-2")
    }

    @Test(arguments: [
        AuthError.refreshTokenReused, .refreshTokenExpired, .refreshTokenRevoked, .refreshTokenInvalid, .sessionRevoked,
        .accountDisabled,
    ])
    func `a definite refusal ends the session, once, and says why`(_ refusal: AuthError) async throws {
        let device = try Device()
        try await device.signIn()
        var states = device.client.states.makeAsyncIterator()
        device.onRefresh(.refusal(refusal, of: .clarity))
        device.clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.sessionEnded(refusal)) { try await device.token() }
        await #expect(throws: ClientError.sessionEnded(refusal)) { try await device.token() }
        #expect(device.client.state == .signedOut(.ended(refusal)))
        #expect(device.store.saved == .none)
        #expect(device.refreshes == 1)
        _ = await states.next()
        #expect(await states.next() == .signedOut(.ended(refusal)))
    }

    @Test func `time left does not keep a session that is over`() async throws {
        let device = try Device()
        try await device.signIn()
        device.onRefresh(.refusal(.sessionRevoked, of: .clarity))
        device.clock.advance(by: .seconds(3595))
        await #expect(throws: ClientError.sessionEnded(.sessionRevoked)) { try await device.token() }
    }

    @Test func `a bare 401 of an original backend ends the session`() async throws {
        let device = try Device()
        try await device.signIn()
        device.onRefresh(.json("{\"detail\":\"Unauthorized\"}", status: 401))
        device.clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.sessionEnded(.refreshTokenInvalid)) { try await device.token() }
        #expect(device.store.saved == .none)
    }

    @Test func `after a lost answer the same token is shown again at once`() async throws {
        let device = try Device()
        try await device.signIn()
        device.onRefresh(.pass.lost, times: 2)
        device.clock.advance(by: .seconds(4000))
        #expect(try await device.token() == "access-4")
        let shown = device.network.calls(.refresh(of: .clarity)).compactMap { $0.json?["refresh_token"] }
        #expect(shown == [.string("refresh-1"), .string("refresh-1"), .string("refresh-1")])
        #expect(device.clock.sleeps.isEmpty)
    }

    @Test func `a server that cannot answer is asked four times, less and less often`() async throws {
        let device = try Device()
        try await device.signIn()
        device.onRefresh(.status(503))
        device.clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.temporarilyUnavailable) { try await device.token() }
        #expect(device.refreshes == 4)
        #expect(device.clock.sleeps == [.seconds(1), .seconds(2), .seconds(4)])
        // And then left alone.
        await #expect(throws: ClientError.temporarilyUnavailable) { try await device.token() }
        #expect(device.refreshes == 4)
    }

    @Test func `a server that has recovered is asked no more`() async throws {
        let device = try Device()
        try await device.signIn()
        device.onRefresh(.status(503), times: 1)
        device.clock.advance(by: .seconds(4000))
        #expect(try await device.token() == "access-2")
        #expect(device.refreshes == 2)
    }

    @Test func `a refresh has fifteen seconds from the look at the store`() async throws {
        let device = try Device()
        try await device.signIn()
        let clock = device.clock
        device.onRefresh(.dropped.after { _ in clock.advance(by: .seconds(6)) })
        device.clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.network(.connectionLost)) { try await device.token() }
        let deadlines = device.network.calls(.refresh(of: .clarity)).map(\.deadline)
        #expect(deadlines == [.seconds(15), .seconds(9), .seconds(3)])
    }

    @Test func `429: kept, and left alone for as long as the server asks`() async throws {
        let device = try Device()
        try await device.signIn()
        device.onRefresh(.refusal(.tooManyAttempts(retryAfterSeconds: 20), of: .clarity), times: 1)
        device.clock.advance(by: .seconds(4000))
        let until = device.clock.now + 20
        await #expect(throws: ClientError.rateLimited(until: until)) { try await device.token() }
        device.clock.advance(by: .seconds(19))
        await #expect(throws: ClientError.rateLimited(until: until)) { try await device.token() }
        #expect(device.refreshes == 1)
        device.clock.advance(by: .seconds(1))
        #expect(try await device.token() == "access-2")
    }

    // MARK: Clocks

    @Test(arguments: [-86_400, -3600, 3600, 86_400])
    func `a clock that is set meanwhile neither ends a session nor starts a loop`(_ seconds: Int) async throws {
        let device = try Device()
        try await device.signIn()
        device.clock.shiftWall(by: .seconds(seconds))
        for _ in 0..<10 { _ = try await device.token() }
        #expect(device.refreshes == 0)
        device.clock.advance(by: .seconds(3600))
        for _ in 0..<10 { #expect(try await device.token() == "access-2") }
        #expect(device.refreshes == 1)
    }

    @Test(arguments: [-86_400, -3600, 3600, 86_400])
    func `a clock that was set between two runs costs a refresh at most`(_ seconds: Int) async throws {
        let first = try Device()
        try await first.signIn()
        first.clock.shiftWall(by: .seconds(seconds))
        let second = try Device(clock: first.clock, store: first.store)
        for _ in 0..<10 { _ = try await second.token() }
        #expect(second.refreshes <= 1)
        #expect(second.client.isAuthenticated)
    }

    @Test(arguments: [-86_400, -3600, 3600, 86_400])
    func `without refresh, a clock that was set between two runs ends no session`(_ seconds: Int) async throws {
        let first = try Device(.viewvault)
        try await first.signIn()
        first.clock.shiftWall(by: .seconds(seconds))
        let second = try Device(.viewvault, clock: first.clock, store: first.store)
        for _ in 0..<10 { #expect(try await second.token() == "access-1") }
        #expect(second.client.isAuthenticated)
        #expect(second.stored == "access-1")
    }

    @Test func `without refresh, the server ends a session of an earlier run whose token has expired`() async throws {
        let first = try Device(.viewvault)
        try await first.signIn()
        first.clock.advance(by: .seconds(3600))
        let second = try Device(.viewvault, clock: first.clock, store: first.store)
        second.network.on(.own(of: .viewvault), .json("{}", status: 401))
        await #expect(throws: ClientError.sessionEnded(.invalidAccessToken)) {
            let _: EmptyBody = try await second.client.get("/videos")
        }
        #expect(second.client.state == .signedOut(.ended(.invalidAccessToken)))
        #expect(second.store.saved == .none)
    }
}
