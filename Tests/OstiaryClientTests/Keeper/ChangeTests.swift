import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// Signing in, out, and as somebody else, whatever else is under way.
struct ChangeTests {
    // MARK: Late answers

    @Test func `a refresh in flight, sign out, sign in as B: B is untouched`() async throws {
        let device = try Device()
        try await device.signIn(as: "a")
        device.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        device.onRefresh(.pass.answerHeld(at: point), times: 1)
        let ofA = Task { try await device.token() }
        try await point.arrivals(1)
        _ = try await device.client.signOut()
        try await device.signIn(7, as: "b")
        point.open()
        await #expect(throws: ClientError.notSignedIn) { try await ofA.value }
        #expect(try await device.token() == "access-7")
        #expect(device.stored == "access-7")
        #expect(device.client.currentUser?.email?.text == "b@example.com")
        #expect(device.store.saved.sessions.count == 1)
    }

    @Test func `a late refusal of A's refresh does not sign B out`() async throws {
        let device = try Device()
        try await device.signIn(as: "a")
        device.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        device.onRefresh(.refusal(.refreshTokenReused, of: .clarity).answerHeld(at: point), times: 1)
        let ofA = Task { try await device.token() }
        try await point.arrivals(1)
        try await device.signIn(7, as: "b")
        point.open()
        await #expect(throws: ClientError.notSignedIn) { try await ofA.value }
        #expect(try await device.token() == "access-7")
        #expect(device.client.isAuthenticated)
    }

    @Test func `switching during a refresh: the answer is stored for the account it is of`() async throws {
        let device = try Device { $0.keepsSeveralAccounts = true }
        let a = try await device.signIn(as: "a")
        let b = try await device.signIn(7, as: "b")
        try await device.client.switchAccount(to: a.id)
        device.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        device.onRefresh(.pass.answerHeld(at: point), times: 1)
        let ofA = Task { try await device.token() }
        try await point.arrivals(1)
        try await device.client.switchAccount(to: b.id)
        point.open()
        await #expect(throws: ClientError.notSignedIn) { try await ofA.value }
        #expect(device.store.saved[a.id]?.accessToken.reveal() == "access-2")
        #expect(device.store.saved[b.id]?.accessToken.reveal() != "access-2")
        #expect(device.client.currentUser?.email?.text == "b@example.com")
    }

    @Test func `signing in beside somebody during their refresh: its answer is stored for them`() async throws {
        let device = try Device { $0.keepsSeveralAccounts = true }
        let a = try await device.signIn(as: "a")
        device.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        device.onRefresh(.pass.answerHeld(at: point), times: 1)
        let ofA = Task { try await device.token() }
        try await point.arrivals(1)
        try await device.signIn(7, as: "b")
        point.open()
        await #expect(throws: ClientError.notSignedIn) { try await ofA.value }
        #expect(device.store.saved[a.id]?.accessToken.reveal() == "access-2")
        #expect(try await device.token() == "access-7")
        #expect(device.client.currentUser?.email?.text == "b@example.com")
    }

    // MARK: Several accounts

    @Test func `one account: whoever was signed in before is signed out, and the server told`() async throws {
        let device = try Device()
        try await device.signIn(as: "a")
        try await device.signIn(7, as: "b")
        #expect(device.store.saved.sessions.map(\.label) == ["b@example.com"])
        // Stored, signed in over, and told.
        try await device.store.counts { $0.writes == 3 }
        #expect(device.store.saved.pendingRevocations.isEmpty)
        let told = device.network.calls(.signOut(of: .clarity)).compactMap { $0.json?["refresh_token"] }
        #expect(told == [.string("refresh-1")])
    }

    @Test func `several accounts: each is kept, and one session of each`() async throws {
        let device = try Device { $0.keepsSeveralAccounts = true }
        let a = try await device.signIn(as: "a")
        try await device.signIn(7, as: "b")
        try await device.signIn(8, as: "b")
        await device.client.settle()
        #expect(try await device.client.savedAccounts().map(\.label) == ["a@example.com", "b@example.com"])
        #expect(try await device.token() == "access-8")
        try await device.client.switchAccount(to: a.id)
        #expect(try await device.token() == "access-1")
        #expect(device.store.saved.current == a.id)
        #expect(device.network.calls(.signOut(of: .clarity)).count == 1)
    }

    @Test func `several accounts: it is told which of them is in use`() async throws {
        let device = try Device { $0.keepsSeveralAccounts = true }
        let a = try await device.signIn(as: "a")
        let b = try await device.signIn(7, as: "b")
        #expect(device.client.currentSession == b && device.client.currentUser == b.user)
        try await device.client.switchAccount(to: a.id)
        #expect(device.client.currentSession == a)
        #expect(try await device.client.savedAccounts() == [a, b])
        _ = try await device.client.signOut()
        #expect(device.client.currentSession == nil && device.client.currentUser == nil)
    }

    @Test func `several accounts: signing out ends the one in use alone`() async throws {
        let device = try Device { $0.keepsSeveralAccounts = true }
        let a = try await device.signIn(as: "a")
        try await device.signIn(7, as: "b")
        _ = try await device.client.signOut()
        #expect(device.client.state == .signedOut(.signedOut))
        #expect(try await device.client.savedAccounts().map(\.label) == ["a@example.com"])
        try await device.client.switchAccount(to: a.id)
        #expect(try await device.token() == "access-1")
    }

    @Test func `switching to somebody who is not there is refused`() async throws {
        let device = try Device { $0.keepsSeveralAccounts = true }
        try await device.signIn()
        await #expect(throws: ClientError.notSignedIn) {
            try await device.client.switchAccount(to: ClientSession.ID(rawValue: "nobody"))
        }
        #expect(device.client.isAuthenticated)
    }

    // MARK: Signing out

    @Test func `cleared here first, then the server is told`() async throws {
        let device = try Device()
        try await device.signIn()
        let point = HoldingPoint()
        device.network.on(.signOut(of: .clarity), .pass.held(at: point))
        async let result = device.client.signOut()
        try await point.arrivals(1)
        #expect(device.client.state == .signedOut(.signedOut))
        #expect(device.store.saved.sessions.isEmpty)
        point.open()
        #expect(try await result == .revoked)
        #expect(device.store.saved == .none)
        let told = try #require(device.network.calls(.signOut(of: .clarity)).first)
        #expect(told.bearer == "access-1" && told.bodyText == "{\"refresh_token\":\"refresh-1\"}")
        #expect(told.deadline == .seconds(5))
    }

    @Test(arguments: Contract.presets.map(\.name))
    func `the server is told in every contract`(_ name: String) async throws {
        let contract = try #require(Contract.preset(name))
        let device = try Device(contract)
        try await device.signIn()
        #expect(try await device.client.signOut() == .revoked)
        #expect(device.network.calls(.signOut(of: contract)).map(\.bearer) == ["access-1"])
    }

    @Test(arguments: [
        Reaction.offline, .timedOut, .status(503), .refusal(.tooManyAttempts(retryAfterSeconds: 9), of: .clarity),
    ])
    func `offline: signed out here, and the server is told when it can be`(_ reaction: Reaction) async throws {
        let device = try Device()
        try await device.signIn()
        device.network.on(.signOut(of: .clarity), reaction)
        #expect(try await device.client.signOut() == .revocationPending)
        #expect(device.store.saved.sessions.isEmpty)
        #expect(device.store.saved.pendingRevocations.count == 1)

        // In the next run.
        let next = try Device(clock: device.clock, store: device.store)
        await next.client.willEnterForeground()
        #expect(next.network.calls(.signOut(of: .clarity)).count == 1)
        #expect(next.store.saved == .none)
    }

    @Test func `offline: the same run goes on trying`() async throws {
        let device = try Device()
        try await device.signIn()
        device.network.on(.signOut(of: .clarity), .offline, times: 2)
        #expect(try await device.client.signOut() == .revocationPending)
        for _ in 0..<2 {
            try await device.clock.sleepers(1)
            device.clock.advanceToNextSleeper()
        }
        try await device.network.calls(3, .signOut(of: .clarity))
        try await device.store.counts { $0.writes == 3 }
        #expect(device.store.saved == .none)
        #expect(device.clock.sleeps == [.seconds(15), .seconds(30)])
    }

    @Test func `offline: who signs out while an earlier sign-out is told is told of as well`() async throws {
        let device = try Device()
        try await device.signIn(as: "a")
        let signOut = RequestMatcher.signOut(of: .clarity)
        let point = HoldingPoint()
        device.network.on(signOut, .offline, times: 1)
        device.network.on(signOut, .pass.held(at: point), times: 1)
        device.network.on(signOut, .offline, times: 1)
        #expect(try await device.client.signOut() == .revocationPending)
        try await device.clock.sleepers(1)
        device.clock.advanceToNextSleeper()
        try await point.arrivals(1)
        let ofA = await device.keeper.revoking
        try await device.signIn(7, as: "b")
        async let ofB = device.client.signOut()
        while await device.keeper.revoking == ofA { await Task.yield() }
        point.open()
        #expect(try await ofB == .revocationPending)
        try await device.clock.sleepers(1)
        device.clock.advanceToNextSleeper()
        try await device.network.calls(4, signOut)
        await device.client.settle()
        #expect(device.store.saved == .none)
        // One went on trying, for both.
        #expect(device.clock.sleeps == [.seconds(15), .seconds(30)])
    }

    @Test func `a server that no longer knows the session has been told`() async throws {
        let device = try Device()
        try await device.signIn()
        device.network.on(.signOut(of: .clarity), .refusal(.sessionRevoked, of: .clarity))
        #expect(try await device.client.signOut() == .revoked)
        #expect(device.store.saved == .none)
    }

    @Test func `nobody signed in: nothing to do`() async throws {
        let device = try Device()
        #expect(try await device.client.signOut() == .wasSignedOut)
        #expect(device.network.calls.isEmpty)
    }

    @Test func `barqnet: an access token that has run out is replaced to name the session`() async throws {
        let device = try Device(.barqnet)
        try await device.signIn()
        device.clock.advance(by: .seconds(4000))
        #expect(try await device.client.signOut() == .revoked)
        #expect(device.network.calls(.signOut(of: .barqnet)).map(\.bearer) == ["access-2"])
    }

    // MARK: A store that cannot be written

    @Test func `a refresh that cannot be stored succeeds, says so, and is stored later`() async throws {
        let device = try Device()
        try await device.signIn()
        var events = device.client.events.makeAsyncIterator()
        device.store.makeUnwritable()
        device.clock.advance(by: .seconds(4000))
        #expect(try await device.token() == "access-2")
        #expect(try await device.token() == "access-2")
        #expect(device.stored == "access-1")
        #expect(await events.next() == .storeUnwritable(TestStore.denied))
        device.store.makeWritable()
        await device.client.willEnterForeground()
        #expect(device.stored == "access-2")
        #expect(await events.next() == .refresh(failure: nil, requests: 1))
        #expect(await events.next() == .storeWritableAgain)
    }

    @Test func `what is only in memory is not given up for what the store still has`() async throws {
        let device = try Device()
        try await device.signIn()
        device.store.makeUnwritable()
        device.clock.advance(by: .seconds(4000))
        #expect(try await device.token() == "access-2")
        device.clock.advance(by: .seconds(4000))
        #expect(try await device.token() == "access-3")
        let shown = device.network.calls(.refresh(of: .clarity)).compactMap { $0.json?["refresh_token"] }
        #expect(shown == [.string("refresh-1"), .string("refresh-2")])
    }

    @Test func `vici: without a store at all the app works, in memory`() async throws {
        let device = try Device(.vici)
        device.store.lock()
        try await device.signIn()
        #expect(device.client.isAuthenticated)
        #expect(try await device.token() == "access-1")
        device.clock.advance(by: .seconds(4000))
        _ = try await device.token()
        #expect(device.client.isAuthenticated)
    }

    @Test(arguments: [false, true])
    func `a refresh token that the store holds is not used while the store is locked`(_ isRestarted: Bool) async throws
    {
        let first = try Device()
        try await first.signIn()
        let device = isRestarted ? try Device(clock: first.clock, store: first.store) : first
        #expect(try await device.token() == "access-1")
        device.store.lock()
        device.clock.advance(by: .seconds(3595))
        #expect(try await device.token() == "access-1")
        device.clock.advance(by: .seconds(5))
        await #expect(throws: ClientError.store(TestStore.denied)) { try await device.token() }
        #expect(device.refreshes == 0)
        #expect(device.client.isAuthenticated)
        device.store.unlock()
        #expect(try await device.token() == "access-2")
        #expect(device.refreshes == 1)
        #expect(device.stored == "access-2")
    }

    @Test func `a refresh token that only memory holds is used while the store is locked`() async throws {
        let device = try Device()
        try await device.signIn()
        device.store.makeUnwritable()
        device.clock.advance(by: .seconds(4000))
        #expect(try await device.token() == "access-2")
        device.store.lock()
        device.clock.advance(by: .seconds(4000))
        #expect(try await device.token() == "access-3")
        device.store.unlock()
        device.store.makeWritable()
        await device.client.willEnterForeground()
        #expect(device.stored == "access-3")
    }

    // MARK: Signing keys

    @Test(arguments: ["sign-out", "end", "sign-in"])
    func `the signing key of a session that is over is forgotten`(_ ending: String) async throws {
        let device = try Device { $0.signsRequests = true }
        try await device.signIn()
        let issuing = RequestMatcher.operation(.issueSigningKey, of: .clarity)
        let key = RequestSigningKey(id: "k", secret: Secret([1]))
        device.network.on(issuing, .answer(try Codec(.clarity).write(key, to: .issueSigningKey)))
        let used = try await device.keeper.token()
        let signing = try #require(device.keeper.signing)
        for _ in 0..<2 { try await signing.prepare(for: used) }
        #expect(device.network.calls(issuing).count == 1)
        switch ending {
        case "sign-out": try await device.client.signOut()
        case "end": await device.keeper.end(used.session, as: .signedOut)
        default: try await device.signIn(7)
        }
        try await signing.prepare(for: used)
        #expect(device.network.calls(issuing).count == 2)
    }

    @Test func `a sign-out that the store cannot take is not undone by the next start`() async throws {
        let device = try Device()
        try await device.signIn()
        device.store.makeUnwritable()
        #expect(try await device.client.signOut() == .revoked)
        #expect(device.client.state == .signedOut(.signedOut))
        await #expect(throws: ClientError.notSignedIn) { try await device.token() }
        device.store.makeWritable()
        try await device.signIn(7, as: "b")
        #expect(device.store.saved.sessions.map(\.label) == ["b@example.com"])
    }

    // MARK: States

    @Test func `states: the latest first, no repeats, any number of listeners`() async throws {
        let device = try Device()
        await device.keeper.start()
        var early = device.client.states.makeAsyncIterator()
        #expect(await early.next() == .signedOut(.notSignedIn))
        let session = try await device.signIn()
        _ = try await device.client.refreshUser()
        var late = device.client.states.makeAsyncIterator()
        _ = try await device.client.signOut()
        #expect(await early.next() == .signedIn(session, verified: true))
        #expect(await early.next() == .signedOut(.signedOut))
        #expect(await late.next() == .signedIn(session, verified: true))
        #expect(await late.next() == .signedOut(.signedOut))
    }
}
