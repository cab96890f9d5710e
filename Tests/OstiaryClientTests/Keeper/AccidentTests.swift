import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// What happened in the wrong moment, and would have signed somebody out, in, or in as somebody else.
struct AccidentTests {
    @Test func `a client that nobody has goes away, and its timers with it`() async throws {
        weak var keeper: SessionKeeper?
        weak var queue: RequestQueue?
        do {
            let device = try Device()
            try await device.signIn()
            keeper = device.keeper
            queue = device.client.queue
        }
        for _ in 0..<100_000 where keeper != nil || queue != nil { await Task.yield() }
        let (isKeeperGone, isQueueGone) = (keeper == nil, queue == nil)
        #expect(isKeeperGone)
        #expect(isQueueGone)
    }

    @Test func `a call while the sign-out is being stored does not undo it`() async throws {
        let device = try Device()
        try await device.signIn()
        // What arrives at the store from here on is the sign-out.
        await device.keeper.settle()
        let point = HoldingPoint()
        device.store.hold(at: point)
        let out = Task { try await device.client.signOut() }
        try await point.arrivals(1)
        device.store.hold(at: nil)
        let token = try? await device.token()
        #expect(token == nil)
        #expect(!device.client.isAuthenticated)
        point.open()
        _ = try await out.value
        #expect(!device.client.isAuthenticated)
    }

    @Test func `a damaged file signs nobody out of a running app`() async throws {
        let file = try Self.files(1)[0]
        let device = try Device { $0.store = file }
        try await device.signIn()
        try Self.damage(file)
        device.clock.advance(by: .seconds(4000))
        let token = try? await device.token()
        #expect(token == "access-2")
        #expect(device.client.isAuthenticated, "\(device.client.state)")
    }

    @Test func `a damaged file that another process finds first signs nobody out`() async throws {
        let files = try Self.files(2)
        let device = try Device { $0.store = files[0] }
        try await device.signIn()
        try Self.damage(files[0])
        let other = try Device(clock: device.clock, network: device.network) { $0.store = files[1] }
        await #expect(throws: ClientError.self) { try await other.token() }
        device.clock.advance(by: .seconds(4000))
        let token = try? await device.token()
        #expect(token == "access-2")
        #expect(device.client.isAuthenticated, "\(device.client.state)")
        #expect(try await other.token() == "access-2")
    }

    @Test func `a damaged file that another process finds during a refresh signs nobody out`() async throws {
        let files = try Self.files(2)
        let device = try Device { $0.store = files[0] }
        try await device.signIn()
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        device.clock.advance(by: .seconds(4000))
        let asking = Task { try? await device.token() }
        try await point.arrivals(1)
        try Self.damage(files[0])
        #expect(await files[1].read() == .unavailable(.damaged(setAside: "\(files[0].path).damaged-1")))
        point.open()
        #expect(await asking.value == "access-2")
        #expect(device.client.isAuthenticated, "\(device.client.state)")
        guard case .found(let saved) = await files[1].read() else {
            Issue.record("not stored again")
            return
        }
        #expect(saved.currentSession?.refreshToken == Secret("refresh-2"))
    }

    @Test func `a device identifier that a sibling stores after the damage ends no session`() async throws {
        let files = try Self.files(2)
        let device = try Device { $0.store = files[0] }
        try await device.signIn()
        try Self.damage(files[0])
        let other = try Device(clock: device.clock, network: device.network) { $0.store = files[1] }
        let id = try #require(await other.keeper.deviceID())
        device.clock.advance(by: .seconds(4000))
        let token = try? await device.token()
        #expect(token == "access-2")
        #expect(device.client.isAuthenticated, "\(device.client.state)")
        #expect(try await other.token() == "access-2")
        #expect(await device.keeper.deviceID() == id)
    }

    @Test func `a device identifier that a sibling stores after the damage, during a refresh, ends no session`()
        async throws
    {
        let files = try Self.files(2)
        let device = try Device { $0.store = files[0] }
        try await device.signIn()
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        device.clock.advance(by: .seconds(4000))
        let asking = Task { try? await device.token() }
        try await point.arrivals(1)
        try Self.damage(files[0])
        await #expect(throws: StoreProblem.self) { try await files[1].change { $0.deviceID = "device-1" } }
        try await files[1].change { $0.deviceID = "device-1" }
        point.open()
        #expect(await asking.value == "access-2")
        #expect(device.client.isAuthenticated, "\(device.client.state)")
        guard case .found(let saved) = await files[1].read() else {
            Issue.record("not stored again")
            return
        }
        #expect(saved.currentSession?.refreshToken == Secret("refresh-2"))
        #expect(saved.deviceID == "device-1")
    }

    @Test func `a sign-out after the damage signs every process out`() async throws {
        let files = try Self.files(3)
        let device = try Device { $0.store = files[0] }
        try await device.signIn()
        let other = try Device(clock: device.clock, network: device.network) { $0.store = files[1] }
        #expect(try await other.token() == "access-1")
        try Self.damage(files[0])
        let third = try Device(clock: device.clock, network: device.network) { $0.store = files[2] }
        _ = try #require(await third.keeper.deviceID())
        #expect(try await other.client.signOut() == .revoked)
        device.clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.notSignedIn) { try await device.token() }
        #expect(device.client.state == .signedOut(.elsewhere))
        await #expect(throws: ClientError.notSignedIn) { try await third.token() }
    }

    @Test func `a sign-in after the damage is followed, and no former session returns`() async throws {
        let files = try Self.files(2)
        let device = try Device { $0.store = files[0] }
        try await device.signIn()
        try Self.damage(files[0])
        let other = try Device(clock: device.clock, network: device.network) { $0.store = files[1] }
        _ = try #require(await other.keeper.deviceID())
        try await other.signIn(70, as: "al")
        device.clock.advance(by: .seconds(3700))
        _ = try? await device.token()
        #expect(device.client.currentUser?.id == (try Device.user("al").id))
        guard case .found(let saved) = await files[0].read() else {
            Issue.record("not stored")
            return
        }
        #expect(saved.sessions.map(\.label) == ["al@example.com"])
    }

    /// Returns stores of one file, as several processes have them.
    private static func files(_ count: Int) throws -> [FileSessionStore] {
        let directory = FileManager.default.temporaryDirectory.path + "/hostile-\(UUID().uuidString)"
        return try (0..<count).map { _ in
            FileSessionStore(
                directory: directory, contract: Contract.clarity.name,
                baseURL: try BaseURL("https://auth.example.com/app"), keys: .keyFile(directory: directory))
        }
    }

    private static func damage(_ file: FileSessionStore) throws {
        let handle = try #require(FileHandle(forWritingAtPath: file.path))
        try handle.truncate(atOffset: 10)
        try handle.close()
    }

    @Test func `a refresh takes nothing back that was learnt while it was under way`() async throws {
        let device = try Device()
        let id = try await device.signIn().id
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        device.clock.advance(by: .seconds(3570))
        #expect(try await device.token() == "access-1")
        try await point.arrivals(1)
        var user = try Device.user("jo")
        user.fullName = try PersonName("New Name")
        await device.keeper.keep(user, of: id)
        await device.keeper.keep(RequestSigningKey(id: "k", secret: Secret([1])), of: id)
        point.open()
        try await device.store.counts { $0.writes == 4 }
        #expect(device.stored == "access-2")
        #expect(device.client.currentUser?.fullName?.text == "New Name")
        #expect(device.store.saved.currentSession?.user?.fullName?.text == "New Name")
        #expect(device.store.saved.currentSession?.signingKey != nil)
    }

    @Test func `a sign-in that is not stored yet survives a refresh`() async throws {
        let device = try Device()
        await device.keeper.start()
        let point = HoldingPoint()
        device.store.hold(at: point)
        let signing = Task { try await device.signIn() }
        try await point.arrivals(1)
        device.store.hold(at: nil)
        let used = try #require(await device.keeper.held?.token)
        let other = Task { try? await device.keeper.replacement(for: used, refusal: .invalidAccessToken) }
        point.open()
        _ = try await signing.value
        _ = await other.value
        #expect(device.client.isAuthenticated)
    }

    @Test func `a token that could not be stored is stored as soon as it can be, though nobody asks`() async throws {
        let device = try Device(skippingSleeps: .zero)
        try await device.signIn()
        device.clock.advance(by: .seconds(4000))
        device.store.makeUnwritable()
        #expect(try await device.token() == "access-2")
        device.store.makeWritable()
        try await device.clock.sleepers(1)
        device.clock.advanceToNextSleeper()
        try await device.store.counts { $0.writes == 2 }
        #expect(device.stored == "access-2")
    }

    @Test func `a token that could not be stored pushes nobody aside who signed in meanwhile`() async throws {
        let one = try Device()
        let other = try Device(clock: one.clock, store: one.store, network: one.network)
        try await one.signIn()
        #expect(try await other.token() == "access-1")
        one.clock.advance(by: .seconds(4000))
        one.store.makeUnwritable()
        #expect(try await one.token() == "access-2")
        one.store.makeWritable()
        try await other.client.signOut()
        try await other.signIn(70, as: "al")
        await one.client.willEnterForeground()
        #expect(one.store.saved.currentSession?.label == "al@example.com")
        #expect(one.store.saved.sessions.count == 1)
    }

    @Test func `a session that a sibling began is behind the gate, whoever opened it before`() async throws {
        let gate = ScriptedBiometricPrompt()
        let one = try Device { $0.biometricPrompt = gate }
        let other = try Device(clock: one.clock, store: one.store, network: one.network)
        try await one.signIn()
        try await one.client.signOut()
        try await other.signIn(7, as: "al")
        let token = try? await one.token()
        #expect(token == nil)
    }

    @Test func `switching loses no token that could not be stored`() async throws {
        let device = try Device { $0.keepsSeveralAccounts = true }
        let al = try await device.signIn(50, as: "al").id
        let jo = try await device.signIn(1, as: "jo").id
        device.clock.advance(by: .seconds(4000))
        device.store.makeUnwritable()
        #expect(try await device.token() == "access-2")
        device.store.makeWritable()
        try await device.client.switchAccount(to: al)
        #expect(device.store.saved[jo]?.refreshToken == Secret("refresh-2"))
    }

    @Test func `a sign-out that could be neither stored nor told is told later`() async throws {
        let device = try Device()
        try await device.signIn()
        device.store.makeUnwritable()
        device.network.on(.signOut(of: .clarity), .offline, times: 1)
        await #expect(throws: ClientError.self) { try await device.client.signOut() }
        device.store.makeWritable()
        await device.client.willEnterForeground()
        try await device.network.calls(2, .signOut(of: .clarity))
    }

    @Test func `a proxy's page is no sign-out`() async throws {
        let device = try Device()
        try await device.signIn()
        device.network.on(.signOut(of: .clarity), .status(403, body: "<html>blocked</html>"), times: 1)
        #expect(try await device.client.signOut() == .revocationPending)
    }

    @Test func `a key for signing that is refused for the token leads to a refresh`() async throws {
        let device = try Device { $0.signsRequests = true }
        try await device.signIn()
        device.network.on(
            .operation(.issueSigningKey, of: .clarity), .refusal(.invalidAccessToken, of: .clarity))
        let answer: Result<EmptyBody, ClientError>
        do throws(ClientError) { answer = .success(try await device.client.get("/x")) } catch {
            answer = .failure(error)
        }
        #expect(device.refreshes == 1, "\(answer)")
    }

    @Test func `the same person signed in again elsewhere: their new session is used`() async throws {
        let one = try Device()
        let other = try Device(clock: one.clock, store: one.store, network: one.network)
        try await one.signIn()
        #expect(try await other.token() == "access-1")
        one.clock.advance(by: .seconds(4000))
        try await one.signIn(70)
        #expect(try await other.token() == "access-70")
    }

    @Test func `who gave way to a sign-in that could not be stored is ended all the same`() async throws {
        let device = try Device()
        try await device.signIn()
        device.store.makeUnwritable()
        try await device.signIn(9, as: "al")
        device.store.makeWritable()
        await device.client.willEnterForeground()
        #expect(device.stored == "access-9")
        #expect(device.store.saved.sessions.count == 1)
        try await device.network.calls(1, .signOut(of: .clarity))
    }

    @Test func `a gate that closes during a refresh lets no token through`() async throws {
        let device = try Device {
            $0.biometricPrompt = ScriptedBiometricPrompt()
            $0.appLockPolicy = .always
        }
        try await device.signIn()
        device.clock.advance(by: .seconds(4000))
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        let asking = Task { try? await device.token() }
        try await point.arrivals(1)
        device.client.didEnterBackground()
        point.open()
        #expect(await asking.value == nil)
    }

    @Test func `a store that has just moved a damaged file aside takes the sign-in`() async throws {
        let device = try Device()
        await device.keeper.start()
        device.store.failNext(with: .damaged(setAside: "/x"))
        try await device.signIn()
        #expect(device.stored == "access-1")
    }

    @Test func `a sign-in that finds the store damaged is not revoked`() async throws {
        let device = try Device()
        await device.keeper.start()
        device.store.failNext(with: .damaged(setAside: "/x"))
        try await device.signIn()
        await device.keeper.settle()
        #expect(device.store.saved.pendingRevocations.isEmpty)
        #expect(device.network.calls(.signOut(of: .clarity)).isEmpty)
    }

    @Test func `a sign-out whose access token is dead is told with a fresh one`() async throws {
        let device = try Device(.barqnet)
        try await device.signIn()
        device.network.on(
            .signOut(of: .barqnet), .refusal(.invalidAccessToken, of: .barqnet), times: 1)
        let result = try await device.client.signOut()
        let bearers = device.network.calls(.signOut(of: .barqnet)).map(\.bearer)
        #expect(bearers.contains("access-2") || result == .revocationPending, "\(result) \(bearers)")
    }

    @Test func `an account whose sign-in could not be stored is not lost to the next one`() async throws {
        let device = try Device { $0.keepsSeveralAccounts = true }
        await device.keeper.start()
        device.store.makeUnwritable()
        let al = try await device.signIn(50, as: "al").id
        device.store.makeWritable()
        try await device.signIn(1, as: "jo")
        #expect(device.store.saved[al] != nil || !device.network.calls(.signOut(of: .clarity)).isEmpty)
    }

    @Test func `a refusal does not end what a sibling has renewed meanwhile`() async throws {
        let device = try Device()
        let id = try await device.signIn().id
        device.clock.advance(by: .seconds(4000))
        let store = device.store
        let point = HoldingPoint()
        device.onRefresh(.refusal(.refreshTokenReused, of: .clarity).after { _ in store.hold(at: point) })
        let asking = Task { try? await device.token() }
        try await point.arrivals(1)
        var session = try #require(store.saved[id])
        session.accessToken = Secret("access-9")
        session.refreshToken = Secret("refresh-9")
        store.saved[id] = session
        point.open()
        _ = await asking.value
        #expect(store.saved[id] != nil)
    }
}
