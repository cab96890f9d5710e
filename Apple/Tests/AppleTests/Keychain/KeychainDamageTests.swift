import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Security
import Synchronization
import Testing

@testable import OstiaryClient

/// Tests of a damaged item that one process moves aside while another, as an app beside its extension, holds the session in memory.
struct KeychainDamageTests {
    /// An item that is damaged.
    enum Damage: String, CaseIterable, Sendable {
        case record, bound, timetrackerIndex, clarityIndex, barqnetIndex, barqnetSession

        /// The items whose absence would be taken for a sign-out.
        static let absent: [Damage] = [.record, .bound, .timetrackerIndex, .clarityIndex, .barqnetIndex]

        var layout: KeychainPlace.Layout {
            switch self {
            case .record: .record
            case .bound: .bound
            case .timetrackerIndex: .timetracker
            case .clarityIndex: .clarity
            case .barqnetIndex, .barqnetSession: .barqnet
            }
        }

        func account(in place: KeychainPlace) throws -> String {
            switch self {
            case .record, .bound: try place.again().account
            case .timetrackerIndex, .clarityIndex, .barqnetIndex: NamedItems.index
            case .barqnetSession: place.account(.session)
            }
        }

        func apply(to place: KeychainPlace) throws { place.put("junk", try account(in: place)) }
    }

    // MARK: Processes

    private let clock = TestClock(skippingSleeps: .seconds(10))
    private let network = Self.network()

    private static func network() -> ScriptedTransport {
        let number = Mutex(1)
        return ScriptedTransport { call throws(TransportError) in
            guard RequestMatcher.refresh(of: .clarity).matches(call) else {
                return WireResponse(status: 200, body: Array("{}".utf8))
            }
            let next = number.withLock { number in
                number += 1
                return number
            }
            return (try? Codec(.clarity).write(tokens(next), to: .refresh)) ?? WireResponse(status: 500)
        }
    }

    private static func tokens(_ number: Int) -> Tokens {
        Tokens(
            accessToken: Secret("access-\(number)"), expiresIn: .seconds(3600),
            refreshToken: Secret("refresh-\(number)"))
    }

    private func process(_ place: KeychainPlace, clock other: TestClock? = nil) throws -> AuthClient {
        var options = ClientOptions(
            store: try place.again(), transport: .custom(network), system: (other ?? clock).system,
            verifiesAtStart: false)
        options.log = .silent
        return try AuthClient(
            contract: .clarity, baseURL: try #require(URL(string: SampleSessions.baseURL.text)), options: options)
    }

    @discardableResult
    private func signIn(_ client: AuthClient) async throws -> ClientSession.ID {
        let user = User(id: try AccountID("jo"), email: try EmailAddress("jo@example.com"))
        return await client.keeper.beginSession(SignedIn(tokens: Self.tokens(1), user: user), label: "jo").id
    }

    // MARK: A session in memory

    @Test(arguments: Damage.allCases, [false, true])
    func `a damaged item that a sibling moves aside ends no session`(
        _ damage: Damage, _ storesDeviceID: Bool
    ) async throws {
        let place = KeychainPlace(damage.layout)
        let app = try process(place)
        let id = try await signIn(app)
        try damage.apply(to: place)
        let sibling = try process(place)
        _ = try? await sibling.keeper.token()
        if storesDeviceID { #expect(await sibling.keeper.deviceID() != nil) }
        clock.advance(by: .seconds(4000))
        let token = try? await app.keeper.token().token
        #expect(token == Secret("access-2"))
        #expect(app.isAuthenticated, "\(app.state)")
        #expect(await app.keeper.held?.session.id == id)
        let saved = try #require(await (try place.again()).found)
        #expect(saved.currentSession?.id == id && saved.sessions.count == 1)
        #expect(saved.currentSession?.accessToken == Secret("access-2"))
        #expect(saved.currentSession?.refreshToken == Secret("refresh-2"))
        #expect((saved.deviceID != nil) == storesDeviceID)
    }

    @Test(arguments: [Damage.timetrackerIndex, .clarityIndex])
    func `a session that is refreshed before it is stored again is stored once`(_ damage: Damage) async throws {
        let place = KeychainPlace(damage.layout)
        // Nothing is written but by the refresh.
        let stopped = TestClock()
        let app = try process(place, clock: stopped)
        let id = try await signIn(app)
        try damage.apply(to: place)
        let sibling = try process(place)
        #expect(await sibling.keeper.deviceID() != nil)
        stopped.advance(by: .seconds(4000))
        #expect(try await app.keeper.token().token == Secret("access-2"))
        let saved = try #require(await (try place.again()).found)
        #expect(saved.currentSession?.id == id && saved.sessions.count == 1)
        #expect(saved.currentSession?.refreshToken == Secret("refresh-2"))
    }

    @Test func `the session of another account that is found takes no tokens of the one in use`() throws {
        let ada = try #require(try SampleSessions.all.currentSession)
        let other = ClientSession(
            id: ClientSession.ID(rawValue: "other"), contract: ada.contract, baseURL: ada.baseURL, accountID: nil,
            label: "other", accessToken: Secret("other"), refreshToken: nil, issuedAt: ada.issuedAt, expiresAt: nil)
        var found = other.with(tokensOf: other)
        found.accessToken = Secret("other, refreshed")
        var saved = SavedSessions(sessions: [found], current: found.id)
        saved.hasLostSessions = true
        let isRestored = saved.restore(ada, over: [ada])
        #expect(!isRestored)
        #expect(saved.currentSession == found && saved.sessions == [found])
    }

    @Test func `the first of two concurrent refreshes after the damage is stored`() async throws {
        let place = KeychainPlace(.clarity)
        let stopped = TestClock()
        let app = try process(place, clock: stopped)
        let id = try await signIn(app)
        try Damage.clarityIndex.apply(to: place)
        let sibling = try process(place)
        #expect(await sibling.keeper.deviceID() != nil)
        let used = try await sibling.keeper.token()
        let refresh = RequestMatcher.refresh(of: .clarity)
        let point = HoldingPoint()
        network.on(refresh, .pass.held(at: point), times: 1)
        stopped.advance(by: .seconds(4000))
        async let late = app.keeper.token()
        try await network.calls(1, refresh)
        #expect(
            try await sibling.keeper.replacement(for: used, refusal: .invalidAccessToken).token == Secret("access-2"))
        point.release()
        #expect(try await late.token == Secret("access-2"))
        let saved = try #require(await (try place.again()).found)
        #expect(saved.currentSession?.id == id && saved.sessions.count == 1)
        #expect(saved.currentSession?.refreshToken == Secret("refresh-2"))
        #expect(try await sibling.keeper.token().token == Secret("access-2"))
    }

    @Test(arguments: Damage.allCases, [false, true])
    func `a sign-out after the damage signs every process out`(
        _ damage: Damage, _ storesDeviceID: Bool
    ) async throws {
        let place = KeychainPlace(damage.layout)
        let (app, other) = (try process(place), try process(place))
        try await signIn(app)
        #expect(try await other.keeper.token().token == Secret("access-1"))
        try damage.apply(to: place)
        let sibling = try process(place)
        _ = try? await sibling.keeper.token()
        if storesDeviceID { #expect(await sibling.keeper.deviceID() != nil) }
        #expect(try await other.signOut() == .revoked)
        clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.notSignedIn) { try await app.keeper.token() }
        #expect(!app.isAuthenticated, "\(app.state)")
        #expect(await (try place.again()).found?.sessions.isEmpty ?? true)
        for (account, text) in place.texts where account != (try damage.account(in: place)) + ".damaged-1" {
            #expect(!text.contains("access-") && !text.contains("refresh-"), "\(account)")
        }
    }

    // MARK: A session that ends

    private static let indexes = [Damage.timetrackerIndex, .clarityIndex]

    /// Signs in, has another process refresh the session, and damages the index item; a further process moves it aside, and stores
    /// the session that it finds by the refreshed tokens.
    ///
    /// - Returns: The first process, which has read the refreshed tokens and does not use them.
    private func processWithEarlierTokens(
        _ damage: Damage, in place: KeychainPlace, at stopped: TestClock
    ) async throws -> AuthClient {
        let (app, other) = (try process(place, clock: stopped), try process(place))
        try await signIn(app)
        #expect(try await other.keeper.token().token == Secret("access-1"))
        clock.advance(by: .seconds(4000))
        #expect(try await other.keeper.token().token == Secret("access-2"))
        #expect(await app.keeper.deviceID() != nil)
        #expect(await app.keeper.held?.session.accessToken == Secret("access-1"))
        try damage.apply(to: place)
        let sibling = try process(place)
        #expect(await sibling.keeper.deviceID() != nil)
        #expect(try await sibling.keeper.token().token == Secret("access-2"))
        return app
    }

    private func expectNoSession(in place: KeychainPlace, after damage: Damage) async throws {
        #expect(await (try place.again()).found?.sessions.isEmpty ?? true)
        for (account, text) in place.texts where account != (try damage.account(in: place)) + ".damaged-1" {
            #expect(!text.contains("access-") && !text.contains("refresh-"), "\(account)")
        }
    }

    @Test(arguments: indexes)
    func `a sign-out ends a session that is found by the tokens of a sibling's refresh`(_ damage: Damage) async throws {
        let place = KeychainPlace(damage.layout)
        let app = try await processWithEarlierTokens(damage, in: place, at: TestClock())
        #expect(try await app.signOut() == .revoked)
        try await expectNoSession(in: place, after: damage)
        await #expect(throws: ClientError.notSignedIn) { try await app.keeper.token() }
    }

    @Test(arguments: indexes)
    func `a deleted account leaves no session that is found by the tokens of a sibling's refresh`(
        _ damage: Damage
    ) async throws {
        let place = KeychainPlace(damage.layout)
        let app = try await processWithEarlierTokens(damage, in: place, at: TestClock())
        let id = try #require(await app.keeper.held?.session.id)
        await app.keeper.end(id, as: .signedOut)
        try await expectNoSession(in: place, after: damage)
        await #expect(throws: ClientError.notSignedIn) { try await app.keeper.token() }
    }

    @Test(arguments: indexes)
    func `a session continues with the tokens of a sibling's refresh by which it is found`(
        _ damage: Damage
    ) async throws {
        let place = KeychainPlace(damage.layout)
        let stopped = TestClock()
        let app = try await processWithEarlierTokens(damage, in: place, at: stopped)
        let id = try #require(await app.keeper.held?.session.id)
        stopped.advance(by: .seconds(4000))
        #expect(try await app.keeper.token().token == Secret("access-2"))
        #expect(await app.keeper.deviceID() != nil)
        let saved = try #require(await (try place.again()).found)
        #expect(saved.currentSession?.id == id && saved.sessions.count == 1)
        #expect(saved.currentSession?.refreshToken == Secret("refresh-2"))
    }

    @Test(arguments: indexes)
    func `a process that found a session signs it out after a sibling has stored it again`(
        _ damage: Damage
    ) async throws {
        let place = KeychainPlace(damage.layout)
        let app = try process(place, clock: TestClock())
        let id = try await signIn(app)
        try damage.apply(to: place)
        let sibling = try process(place)
        #expect(await sibling.keeper.deviceID() != nil)
        #expect(try await sibling.keeper.token().token == Secret("access-1"))
        #expect(await app.keeper.deviceID() != nil)
        #expect(await (try place.again()).found?.current == id)
        #expect(try await sibling.signOut() == .revoked)
        await #expect(throws: ClientError.notSignedIn) { try await sibling.keeper.token() }
        try await expectNoSession(in: place, after: damage)
    }

    @Test func `a session that is lost with its biometric enrolment is not stored again`() async throws {
        let place = KeychainPlace(.bound)
        let app = try process(place)
        try await signIn(app)
        place.shim.enrolment = Data([2])
        #expect(await (try place.again()).read() == .unavailable(.enrolmentChanged))
        clock.advance(by: .seconds(4000))
        await #expect(throws: ClientError.notSignedIn) { try await app.keeper.token() }
        #expect(await (try place.again()).read() == .absent)
    }

    // MARK: The store

    @Test(arguments: Damage.absent)
    func `tells every store that has read an item, once, that another has set it aside`(_ damage: Damage) async throws {
        let place = KeychainPlace(damage.layout)
        let stores = try (0..<2).map { _ in try place.again() }
        try await stores[0].put(try SampleSessions.all)
        #expect(await stores[1].read() == .found(try SampleSessions.all))
        try damage.apply(to: place)
        let account = try damage.account(in: place)
        let problem = StoreProblem.damaged(setAside: "the keychain item \(account).damaged-1 of \(place.service)")
        #expect(await (try place.again()).read() == .unavailable(problem))
        #expect(await stores[0].read() == .unavailable(problem))
        await #expect(throws: problem) { try await stores[1].put(try SampleSessions.all) }
        for store in stores + [try place.again()] {
            if case .unavailable(let problem) = await store.read() { Issue.record("told again: \(problem)") }
        }
        try await stores[1].put(try SampleSessions.all)
        #expect(await stores[0].read() == .found(try SampleSessions.all))
    }

    @Test(arguments: Damage.absent)
    func `takes a sign-out for one although an item was set aside before`(_ damage: Damage) async throws {
        let place = KeychainPlace(damage.layout)
        let store = try place.again()
        try await store.put(try SampleSessions.all)
        try damage.apply(to: place)
        let other = try place.again()
        guard case .unavailable(.damaged) = await other.read() else {
            Issue.record("not damaged")
            return
        }
        try await other.put(try SampleSessions.all)
        try await other.put(.none)
        #expect(await store.read() == .found(.none))
        #expect(await (try place.again()).read() == .found(.none))
        let account = try damage.account(in: place)
        #expect(Set(place.shim.accounts) == [account, "\(account).damaged-1"])
    }
}
