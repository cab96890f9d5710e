import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct SessionListTests {
    private let world: World

    init() throws { world = try World.vici() }

    @Test func `lists the account's live sessions, the most recently used first`() async throws {
        let first = try await world.registered().tokens
        world.clock.advance(by: .seconds(1))
        let second = try await world.signIn().tokens
        world.clock.advance(by: .seconds(1))
        let third = try await world.signIn().tokens
        try await world.registered("bob@example.com")
        _ = try await world.engine.perform(SignOut(accessToken: second.accessToken))
        world.clock.advance(by: .seconds(1))
        let now = try await world.refresh(first)
        let list = try await world.engine.perform(ListSessions(accessToken: now.accessToken))
        let ids = [try await world.session(of: first)?.id, try await world.session(of: third)?.id]
        #expect(list.map(\.id) == ids.compactMap(\.self))
        #expect(list.map(\.isCurrent) == [true, false])
    }

    @Test func `ends the session that its owner names, and no other`() async throws {
        let first = try await world.registered().tokens
        let second = try await world.signIn().tokens
        let id = try #require(try await world.session(of: second)?.id)
        _ = try await world.engine.perform(EndSession(accessToken: first.accessToken, sessionID: id))
        await #expect(throws: AuthError.sessionRevoked) { try await world.use(second) }
        #expect(try await world.session(of: second)?.revocation?.reason == .endedByOwner)
        try await world.use(first)
    }

    @Test func `knows nothing of another person's session`() async throws {
        let mine = try await world.registered().tokens
        let theirs = try await world.registered("bob@example.com").tokens
        let id = try #require(try await world.session(of: theirs)?.id)
        await #expect(throws: AuthError.notFound) {
            try await world.engine.perform(EndSession(accessToken: mine.accessToken, sessionID: id))
        }
        try await world.use(theirs)
    }

    @Test func `changes a name and nothing else`() async throws {
        let tokens = try await world.registered().tokens
        let call = UpdateProfile(accessToken: tokens.accessToken, fullName: try PersonName("Ada Lovelace"))
        #expect(try await world.engine.perform(call).fullName?.text == "Ada Lovelace")
        let same = try await world.engine.perform(UpdateProfile(accessToken: tokens.accessToken))
        #expect(same.fullName?.text == "Ada Lovelace")
        #expect(try await world.use(tokens) == same)
    }

    @Test func `a session has the country of its address, where the server knows it`() async throws {
        let located = try World.risky()
        try await located.settled()
        let access = try await located.signIn(at: ListedLocations.newYork).tokens.accessToken
        let list = try await located.engine.perform(ListSessions(accessToken: access))
        #expect(list.map(\.country) == ["US", "DE"])
        let account = try #require(try await located.account())
        #expect(try await located.administration.sessions(of: account.id).map(\.country) == ["US", "DE"])
        #expect(
            try await located.store.sessions(of: account.id, in: account.app, at: located.clock.now).allSatisfy {
                $0.country == nil
            })
        let unlocated = try await world.registered().tokens
        #expect(
            try await world.engine.perform(ListSessions(accessToken: unlocated.accessToken)).map(\.country) == [nil])
    }
}
