import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// Two processes of one app that share a store.
struct SiblingTests {
    let one: Device
    let other: Device

    init() throws {
        one = try Device()
        other = try Device(clock: one.clock, store: one.store, network: one.network)
    }

    private func signInBoth() async throws {
        try await one.signIn()
        #expect(try await other.token() == "access-1")
    }

    @Test func `a process sees that another has signed in`() async throws {
        await #expect(throws: ClientError.notSignedIn) { try await other.token() }
        try await signInBoth()
    }

    @Test func `a token that a sibling refreshed is adopted: one refresh for both`() async throws {
        try await signInBoth()
        one.clock.advance(by: .seconds(4000))
        #expect(try await one.token() == "access-2")
        #expect(try await other.token() == "access-2")
        #expect(one.refreshes == 1)
    }

    @Test func `both at once make one refresh`() async throws {
        try await signInBoth()
        one.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        one.onRefresh(.pass.held(at: point))
        async let first = one.token()
        try await point.arrivals(1)
        async let second = other.token()
        try await one.store.counts { $0.refreshLeases == 2 }
        point.open()
        #expect(try await [first, second] == ["access-2", "access-2"])
        #expect(one.refreshes == 1)
    }

    @Test func `a sibling that holds the turn for ever does not stop the other`() async throws {
        try await signInBoth()
        one.clock.advance(by: .seconds(4000))
        one.store.refuseLeases()
        #expect(try await other.token() == "access-2")
    }

    @Test func `refused, and a sibling has stored another token meanwhile: it is adopted`() async throws {
        try await signInBoth()
        one.clock.advance(by: .seconds(4000))
        let store = one.store
        one.onRefresh(
            .refusal(.refreshTokenReused, of: .clarity).after { _ in
                guard var session = store.saved.currentSession else { return }
                session.accessToken = Secret("access-9")
                session.refreshToken = Secret("refresh-9")
                store.saved[session.id] = session
            })
        #expect(try await one.token() == "access-9")
        #expect(one.client.isAuthenticated)
    }

    @Test func `renewed, and a sibling has stored another token meanwhile: the sibling's holds`() async throws {
        try await signInBoth()
        one.clock.advance(by: .seconds(4000))
        let store = one.store
        one.onRefresh(
            .pass.after { _ in
                guard var session = store.saved.currentSession else { return }
                session.accessToken = Secret("access-9")
                session.refreshToken = Secret("refresh-9")
                store.saved[session.id] = session
            })
        #expect(try await one.token() == "access-9")
        #expect(one.stored == "access-9")
    }

    @Test func `a sibling has signed out: so is this one, and nothing is sent`() async throws {
        try await signInBoth()
        _ = try await one.client.signOut()
        one.clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.notSignedIn) { try await other.token() }
        #expect(other.client.state == .signedOut(.elsewhere))
        #expect(one.refreshes == 0)
    }

    @Test func `a sibling signs out during the refresh: the new token is put nowhere`() async throws {
        try await signInBoth()
        one.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        one.onRefresh(.pass.answerHeld(at: point))
        let token = Task { try await other.token() }
        try await point.arrivals(1)
        _ = try await one.client.signOut()
        point.open()
        await #expect(throws: ClientError.notSignedIn) { try await token.value }
        #expect(one.store.saved.sessions.isEmpty)
        #expect(other.client.state == .signedOut(.elsewhere))
    }

    @Test func `a sibling has signed in as somebody else: their token is not for the calls of the former`() async throws
    {
        try await signInBoth()
        try await one.signIn(7, as: "kim")
        one.clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.notSignedIn) { try await other.token() }
        #expect(other.client.currentUser?.email?.text == "kim@example.com")
        #expect(try await other.token() != "access-1")
    }
}
