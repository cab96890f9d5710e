import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// What a 401 on one of the app's own calls leads to.
struct ReplacementTests {
    @Test func `100 concurrent 401s make one refresh, and 100 fresh tokens`() async throws {
        let device = try Device()
        try await device.signIn()
        let used = try await device.keeper.token()
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    try await device.keeper.replacement(for: used, refusal: .invalidAccessToken).token.reveal()
                }
            }
            try await point.arrivals(1)
            point.open()
            for try await token in group { #expect(token == "access-2") }
        }
        #expect(device.refreshes == 1)
    }

    @Test func `a 401 that an older token earned costs no refresh`() async throws {
        let device = try Device()
        try await device.signIn()
        let used = try await device.keeper.token()
        _ = try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        let second = try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        #expect(second.token.reveal() == "access-2")
        #expect(device.refreshes == 1)
    }

    @Test func `a server that refuses every fresh token gets five refreshes in thirty seconds`() async throws {
        let device = try Device()
        try await device.signIn()
        for _ in 0..<5 {
            _ = try await device.keeper.replacement(for: device.keeper.token(), refusal: .invalidAccessToken)
        }
        let used = try await device.keeper.token()
        await #expect(throws: ClientError.unauthorized) {
            try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        }
        #expect(device.refreshes == 5)
        #expect(device.client.isAuthenticated)
        device.clock.advance(by: .seconds(30))
        _ = try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        #expect(device.refreshes == 6)
    }

    @Test func `a passing failure of the refresh keeps the session and tells the caller`() async throws {
        let device = try Device()
        try await device.signIn()
        let used = try await device.keeper.token()
        device.onRefresh(.offline)
        await #expect(throws: ClientError.offline) {
            try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        }
        #expect(device.stored == "access-1")
    }

    @Test func `a token of a session that is over gets none of the next one`() async throws {
        let device = try Device()
        try await device.signIn()
        let used = try await device.keeper.token()
        try await device.signIn(7, as: "kim")
        await #expect(throws: ClientError.notSignedIn) {
            try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        }
        #expect(try await device.token() == "access-7")
    }

    // MARK: Contracts without refresh

    @Test(arguments: [Contract.timetracker, .viewvault])
    func `without refresh, a 401 ends the session`(_ contract: Contract) async throws {
        let device = try Device(contract)
        try await device.signIn()
        let used = try await device.keeper.token()
        await #expect(throws: ClientError.sessionEnded(.invalidAccessToken)) {
            try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        }
        #expect(device.client.state == .signedOut(.ended(.invalidAccessToken)))
        #expect(device.store.saved == .none)
    }

    @Test func `without refresh, a token that has run out ends the session before it is sent`() async throws {
        let device = try Device(.viewvault)
        try await device.signIn()
        device.clock.advance(by: .seconds(3600))
        await #expect(throws: ClientError.sessionEnded(.invalidAccessToken)) { try await device.token() }
        #expect(device.network.calls.isEmpty)
    }

    @Test func `without refresh, a sibling's newer token of the same person is taken`() async throws {
        let device = try Device(.viewvault)
        try await device.signIn()
        let used = try await device.keeper.token()
        let sibling = try Device(.viewvault, clock: device.clock, store: device.store)
        try await sibling.signIn(5)
        let next = try await device.keeper.replacement(for: used, refusal: .invalidAccessToken)
        #expect(next.token.reveal() == "access-5")
        #expect(try await device.token() == "access-5")
    }
}
