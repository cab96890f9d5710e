import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// What a client says and does before and after its store has answered.
struct StartTests {
    /// A store in which Jo is signed in.
    private func storeOfJo() async throws -> TestStore {
        let device = try Device()
        try await device.signIn()
        return device.store
    }

    @Test func `unknown until the store answers`() async throws {
        let store = try await storeOfJo()
        let point = HoldingPoint()
        store.hold(at: point)
        let device = try Device(store: store)
        var states = device.client.states.makeAsyncIterator()
        #expect(await states.next() == .unknown)
        point.open()
        guard case .signedIn(let session, verified: false) = await states.next() else {
            Issue.record("not signed in")
            return
        }
        #expect(session.user?.email?.text == "jo@example.com")
    }

    @Test func `absent: signed out`() async throws {
        let device = try Device()
        await device.keeper.start()
        #expect(device.client.state == .signedOut(.notSignedIn))
        #expect(!device.client.hasValidToken)
    }

    @Test func `a store that cannot answer is waited for: nothing sent, nothing cleared`() async throws {
        let store = try await storeOfJo()
        store.lock()
        let clock = TestClock()
        let device = try Device(clock: clock, store: store) { $0.verifiesAtStart = true }
        try await clock.sleepers(1)
        #expect(device.client.state == .unknown)
        await #expect(throws: ClientError.store(TestStore.denied)) { try await device.token() }
        #expect(device.client.state == .unknown)
        #expect(device.network.calls.isEmpty)
        #expect(device.stored == "access-1")

        var states = device.client.states.makeAsyncIterator()
        _ = await states.next()
        store.unlock()
        clock.advanceToNextSleeper()
        guard case .signedIn(_, verified: false) = await states.next() else {
            Issue.record("not signed in")
            return
        }
        guard case .signedIn(_, verified: true) = await states.next() else {
            Issue.record("not verified")
            return
        }
    }

    @Test func `found: signed in at once, and verified when the server says so`() async throws {
        let store = try await storeOfJo()
        let network = Device.network(.clarity)
        let point = HoldingPoint()
        network.on(.operation(.currentUser, of: .clarity), .pass.held(at: point))
        let device = try Device(store: store, network: network) { $0.verifiesAtStart = true }
        var states = device.client.states.makeAsyncIterator()
        try await point.arrivals(1)
        guard case .signedIn(_, verified: false) = await lastState(&states, of: device) else {
            Issue.record("not signed in")
            return
        }
        point.open()
        guard case .signedIn(_, verified: true) = await states.next() else {
            Issue.record("not verified")
            return
        }
    }

    /// What was said last, skipping what was said before the test began to listen.
    private func lastState(_ states: inout AsyncStream<SessionState>.Iterator, of device: Device) async -> SessionState?
    {
        var state = await states.next()
        if state == .unknown { state = await states.next() }
        return state
    }

    @Test(arguments: [Reaction.offline, .timedOut, .status(503), .status(200, body: "<html>hotel</html>")])
    func `found, and the server cannot be asked: signed in, unverified, kept`(_ reaction: Reaction) async throws {
        let store = try await storeOfJo()
        let network = Device.network(.clarity)
        network.on(.operation(.currentUser, of: .clarity), reaction)
        let device = try Device(store: store, network: network)
        await device.keeper.start()
        await device.keeper.verify()
        guard case .signedIn(_, verified: false) = device.client.state else {
            Issue.record("\(device.client.state)")
            return
        }
        #expect(device.stored == "access-1")
        // And checked again.
        network.removeRules()
        await device.client.willEnterForeground()
        guard case .signedIn(_, verified: true) = device.client.state else {
            Issue.record("\(device.client.state)")
            return
        }
    }

    @Test func `found, and the token is refused: refreshed and asked again`() async throws {
        let store = try await storeOfJo()
        let network = Device.network(.clarity)
        network.on(.bearer("access-1"), .refusal(.invalidAccessToken, of: .clarity))
        let device = try Device(store: store, network: network)
        await device.keeper.start()
        await device.keeper.verify()
        guard case .signedIn(_, verified: true) = device.client.state else {
            Issue.record("\(device.client.state)")
            return
        }
        #expect(device.stored == "access-2")
    }

    @Test func `found, and the session is over: signed out with the reason`() async throws {
        let store = try await storeOfJo()
        let network = Device.network(.clarity)
        network.on(.bearer("access-1"), .refusal(.sessionRevoked, of: .clarity))
        network.on(.refresh(of: .clarity), .refusal(.sessionRevoked, of: .clarity))
        let device = try Device(store: store, network: network)
        await device.keeper.start()
        await device.keeper.verify()
        #expect(device.client.state == .signedOut(.ended(.sessionRevoked)))
        #expect(store.saved == .none)
    }

    @Test func `a session of another server or contract is none of ours, and is left alone`() async throws {
        let store = try await storeOfJo()
        let device = try Device(.barqnet, store: store)
        await device.keeper.start()
        #expect(device.client.state == .signedOut(.notSignedIn))
        #expect(store.saved.sessions.count == 1)
    }

    // MARK: Ahead of time

    @Test func `barqnet: the token is replaced five minutes before its end, though nobody asks`() async throws {
        let clock = TestClock()
        let device = try Device(.barqnet, clock: clock)
        try await device.signIn()
        try await clock.sleepers(1)
        #expect(clock.sleepers == [.seconds(3300)])
        clock.advance(by: .seconds(3300))
        try await device.store.counts { $0.writes == 2 }
        #expect(device.stored == "access-2")
    }

    @Test func `barqnet: a 60-second token is replaced after half a minute`() async throws {
        let clock = TestClock()
        let device = try Device(.barqnet, clock: clock)
        try await device.signIn(lasting: 60)
        try await clock.sleepers(1)
        #expect(clock.sleepers == [.seconds(30)])
    }

    @Test func `barqnet: signing out cancels the schedule`() async throws {
        let clock = TestClock()
        let device = try Device(.barqnet, clock: clock)
        try await device.signIn()
        try await clock.sleepers(1)
        _ = try await device.client.signOut()
        clock.advance(by: .seconds(4000))
        #expect(device.refreshes == 0)
    }

    @Test func `barqnet: back from the background, an overdue refresh runs at once`() async throws {
        let clock = TestClock()
        let device = try Device(.barqnet, clock: clock)
        try await device.signIn()
        clock.advance(by: .seconds(3500))
        await device.client.willEnterForeground()
        #expect(device.stored == "access-2")
        #expect(device.refreshes == 1)
    }
}
