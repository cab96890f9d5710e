import Foundation
import OstiaryCore
import OstiaryEngineTestSupport
import OstiaryTesting
import Synchronization
import Testing

@testable import OstiaryEngine

/// Sessions in which an administrator acts for an account.
@Suite struct ImpersonationTests {
    let world: World
    let operatorID: AccountID
    let administration: Administration

    init() throws {
        let operatorID = try AccountID("op")
        self.operatorID = operatorID
        world = try .vici { app in
            app.roles = RoleDefinitions(["editor": (try? [PermissionPattern("videos:write")]) ?? []])
            app.passkeys = PasskeySettings(
                relyingPartyID: "example.com", relyingPartyName: "Example", origins: ["https://example.com"])
        }
        administration = Self.administration(of: world, operatorID)
    }

    static func administration(of world: World, _ operatorID: AccountID) -> Administration {
        Administration(
            engine: world.engine.serving(Caller(address: "192.0.2.7", userAgent: "Backend/1")),
            actor: .account(operatorID))
    }

    func accountID() async throws -> AccountID { try #require(try await world.account()).id }

    func impersonated(_ reason: String = "ticket 7", seconds: Int = 900) async throws -> Impersonation {
        try await administration.impersonate(accountID(), reason: reason, seconds: seconds)
    }

    func problem(_ body: () async throws -> Void) async -> AdministrationProblem? {
        do {
            try await body()
            return nil
        } catch {
            return error as? AdministrationProblem
        }
    }

    @Test func `opens a session that is marked with its actor and ends by itself`() async throws {
        try await world.registered()
        let impersonation = try await impersonated(seconds: 300)
        #expect(impersonation.expiresInSeconds == 300)
        let grant = try #require(world.accessTokens.grant(impersonation.accessToken))
        #expect(grant.actor == "account:op")
        #expect(grant.authentication == nil)
        #expect(grant.session == impersonation.session)
        let session = try #require(
            try await world.store.session(impersonation.session, in: world.engine.app.name)
        ).session
        #expect(session.actor == "account:op")
        #expect(session.address == "192.0.2.7")
        #expect(try await world.administration.sessions(of: ada).map(\.actor).contains("account:op"))
        let bearer = try await world.engine.bearer(of: impersonation.accessToken)
        #expect(bearer.account.email?.text == ada)
        world.clock.advance(by: .seconds(300))
        await #expect(throws: AuthError.invalidAccessToken) {
            try await world.engine.bearer(of: impersonation.accessToken)
        }
    }

    @Test func `is in the owner's list of sessions with its actor`() async throws {
        let owner = try await world.registered()
        let impersonation = try await impersonated()
        let sessions = try await world.engine.perform(ListSessions(accessToken: owner.tokens.accessToken))
        #expect(sessions.first { $0.id == impersonation.session }?.actor == "account:op")
        #expect(sessions.filter { $0.actor == nil }.map(\.isCurrent) == [true])
        _ = try await world.engine.perform(
            EndSession(accessToken: owner.tokens.accessToken, sessionID: impersonation.session))
        await #expect(throws: AuthError.sessionRevoked) {
            try await world.engine.bearer(of: impersonation.accessToken)
        }
    }

    @Test func `is in the audit log with its reason, and is no sign-in`() async throws {
        try await world.registered()
        let before = try await world.events().count
        let impersonation = try await impersonated()
        let events = try await world.events().dropFirst(before)
        let event = try #require(events.first)
        #expect(events.count == 1)
        #expect(event.action == "admin.users.impersonate")
        #expect(event.actor == "account:op")
        #expect(event.account == (try await accountID()))
        #expect(event.session == impersonation.session)
        #expect(event.details == ["reason": "ticket 7", "expires_in": "900"])
    }

    @Test func `attributes what is done in the session to its actor`() async throws {
        try await world.registered()
        let impersonation = try await impersonated()
        _ = try await world.engine.perform(
            UpdateProfile(accessToken: impersonation.accessToken, fullName: PersonName("Ada L")))
        _ = await refusal(of: DeleteAccount(accessToken: impersonation.accessToken))
        let events = try await world.events().suffix(2)
        #expect(events.map(\.action) == ["updateProfile", "deleteAccount"])
        #expect(events.map(\.outcome) == ["ok", "impersonated"])
        #expect(events.map(\.actor) == ["account:op", "account:op"])
        #expect(events.map(\.session) == [impersonation.session, impersonation.session])
    }

    @Test func `names its actor in the events of its changes`() async throws {
        try await world.registered()
        let impersonation = try await impersonated()
        let actors = Mutex<[String?]>([])
        world.store.interrupt("change") { actors.withLock { $0.append(ChangeActor.current) } }
        _ = try await world.engine.perform(
            UpdateProfile(accessToken: impersonation.accessToken, fullName: PersonName("Ada L")))
        #expect(actors.withLock(\.self) == ["account:op"])
    }

    @Test(arguments: ["admin", "admin@project:1", "root", "root@project:1"])
    func `IM-02: is refused for an account with all permissions`(role: String) async throws {
        try await world.registered()
        _ = try await world.administration.createRole("root", permissions: ["videos:read", "*"])
        _ = try await world.administration.changeRoles(ada, adding: [role], removing: [])
        let problem = await problem { _ = try await impersonated() }
        #expect(problem?.reason == .forbidden)
        #expect(problem?.code == "impersonation_forbidden")
        #expect(try await world.administration.sessions(of: ada).count == 1)
    }

    @Test func `IM-02: ends when the account gets all permissions`() async throws {
        try await world.registered()
        let impersonation = try await impersonated()
        _ = try await world.administration.changeRoles(ada, adding: ["admin@project:1"], removing: [])
        await #expect(throws: AuthError.sessionRevoked) {
            try await world.engine.bearer(of: impersonation.accessToken)
        }
    }

    private func revocation(of impersonation: Impersonation) async throws -> Revocation.Reason? {
        try await world.store.session(impersonation.session, in: world.engine.app.name)?.session.revocation?.reason
    }

    @Test func `IM-02: stays ended when the account loses the role again`() async throws {
        let owner = try await world.registered()
        let impersonation = try await impersonated()
        _ = try await world.administration.changeRoles(ada, adding: ["admin"], removing: [])
        #expect(try await revocation(of: impersonation) == .actorRevoked)
        _ = try await world.administration.changeRoles(ada, adding: [], removing: ["admin"])
        await #expect(throws: AuthError.sessionRevoked) {
            try await world.engine.bearer(of: impersonation.accessToken)
        }
        try await world.use(owner.tokens)
    }

    @Test func `IM-02: ends in the transaction that gives the account all permissions`() async throws {
        try await world.registered()
        let impersonation = try await impersonated()
        for call in ["session", "sessions", "revoke", "revokeAll"] { world.store.fail(call) }
        _ = try await world.administration.changeRoles(ada, adding: ["admin"], removing: [])
        world.store.recover()
        #expect(try await revocation(of: impersonation) == .actorRevoked)
    }

    @Test func `IM-02: goes on when the account gets a role without all permissions`() async throws {
        try await world.registered()
        let impersonation = try await impersonated()
        _ = try await world.administration.changeRoles(ada, adding: ["editor"], removing: [])
        _ = try await world.engine.bearer(of: impersonation.accessToken)
    }

    @Test func `IM-02: stays ended when a role of the account had all permissions for a time`() async throws {
        try await world.registered()
        _ = try await world.administration.createRole("root", permissions: ["videos:read"])
        _ = try await world.administration.changeRoles(ada, adding: ["root"], removing: [])
        let impersonation = try await impersonated()
        _ = try await world.administration.updateRole("root", permissions: ["*"])
        await #expect(throws: AuthError.sessionRevoked) {
            try await world.engine.bearer(of: impersonation.accessToken)
        }
        #expect(try await revocation(of: impersonation) == .actorRevoked)
        _ = try await world.administration.updateRole("root", permissions: ["videos:read"])
        await #expect(throws: AuthError.sessionRevoked) {
            try await world.engine.bearer(of: impersonation.accessToken)
        }
    }

    @Test func `IM-02: is refused for an account of the built-in provider`() async throws {
        let provider = try World("idp", .vici)
        try await provider.registered()
        let id = try #require(try await provider.account()).id
        let problem = await problem {
            _ = try await Self.administration(of: provider, operatorID).impersonate(id, reason: "ticket 7")
        }
        #expect(problem?.code == "impersonation_forbidden")
    }

    @Test func `is not offered to commands`() async throws {
        try await world.registered()
        let id = try await accountID()
        let problem = await problem { _ = try await world.administration.impersonate(id, reason: "ticket 7") }
        #expect(problem?.code == "impersonation_forbidden")
    }

    @Test func `needs an active account that exists`() async throws {
        try await world.registered()
        #expect(
            await problem { _ = try await administration.impersonate(AccountID("nobody"), reason: "r") }?.reason
                == .notFound)
        _ = try await world.administration.setActive(false, ada)
        #expect(await problem { _ = try await impersonated() }?.code == "account_disabled")
    }

    @Test func `is refused where every request must be signed`() async throws {
        let world = try World.vici { $0.requestSigning = .required }
        try await world.registered()
        let id = try #require(try await world.account()).id
        let problem = await problem {
            _ = try await Self.administration(of: world, operatorID).impersonate(id, reason: "r")
        }
        #expect(problem?.code == "signing_required")
    }

    @Test(
        arguments: [
            ("", 900, "/reason", "missing"), ("  ", 900, "/reason", "missing"),
            (String(repeating: "a", count: 257), 900, "/reason", "too_long"),
            ("two\nlines", 900, "/reason", "malformed"), ("r", 0, "/expires_in", "out_of_range"),
            ("r", 901, "/expires_in", "out_of_range"), ("r", -1, "/expires_in", "out_of_range"),
            ("r", .max, "/expires_in", "out_of_range"),
        ])
    func `names the field that is not acceptable`(
        reason: String, seconds: Int, pointer: String, code: String
    ) async throws {
        try await world.registered()
        let problem = await problem { _ = try await impersonated(reason, seconds: seconds) }
        #expect(problem?.pointer == pointer)
        #expect(problem?.code == code)
    }

    @Test func `opens no session that cannot be audited`() async throws {
        try await world.registered()
        world.store.fail("audit")
        await #expect(throws: WatchedStore.Away.self) { _ = try await impersonated() }
        world.store.recover()
        #expect(try await world.administration.sessions(of: ada).count == 1)
    }

    @Test func `opens no session if the account changes meanwhile`() async throws {
        try await world.registered()
        let id = try await accountID()
        world.store.interrupt("addSession") {
            _ = try await world.administration.setActive(false, ada)
            _ = try await world.administration.setActive(true, ada)
        }
        #expect(
            await problem { _ = try await administration.impersonate(id, reason: "r") }?.code == "account_changed")
    }

    @Test func `has no refresh token, and ends with a change of the password`() async throws {
        let owner = try await world.registered()
        let impersonation = try await impersonated()
        let state = try #require(try await world.store.session(impersonation.session, in: world.engine.app.name))
        #expect(try await world.engine.tokens(for: state, at: world.clock.now, with: .none).refreshToken == nil)
        _ = try await world.engine.perform(
            ChangePassword(
                accessToken: owner.tokens.accessToken, currentPassword: Secret(goodPassword),
                newPassword: Secret(otherPassword)))
        await #expect(throws: AuthError.sessionRevoked) {
            try await world.engine.bearer(of: impersonation.accessToken)
        }
    }

    private func key(expiresAt: Date? = nil) async throws -> ServiceKey {
        let key = ServiceKey(
            id: try ServiceKeyID("0123456789abcdef"), name: "backend", hash: [1], scopes: [.accountsImpersonate],
            createdAt: world.clock.now, expiresAt: expiresAt)
        try await world.store.add(key)
        return key
    }

    private func administration(by key: ServiceKey) -> Administration {
        Administration(engine: world.engine, actor: .serviceKey(key.id.text))
    }

    @Test func `IM-03: ends when its service key is revoked`() async throws {
        try await world.registered()
        let key = try await key()
        let id = try await accountID()
        let own = try await administration(by: key).impersonate(id, reason: "ticket 7")
        let other = try await impersonated()
        _ = try await world.store.revokeServiceKey(key.id, at: world.clock.now)
        await #expect(throws: AuthError.sessionRevoked) { try await world.engine.bearer(of: own.accessToken) }
        _ = try await world.engine.bearer(of: other.accessToken)
        let state = try #require(try await world.store.session(own.session, in: world.engine.app.name))
        #expect(state.session.revocation?.reason == .actorRevoked)
        #expect(
            await problem { _ = try await administration(by: key).impersonate(id, reason: "r") }?.code
                == "impersonation_forbidden")
    }

    @Test func `IM-03: ends no later than its service key expires`() async throws {
        try await world.registered()
        let key = try await key(expiresAt: world.clock.now.addingTimeInterval(100))
        let impersonation = try await administration(by: key).impersonate(accountID(), reason: "ticket 7")
        #expect(impersonation.expiresInSeconds == 100)
        world.clock.advance(by: .seconds(100))
        await #expect(throws: AuthError.invalidAccessToken) {
            try await world.engine.bearer(of: impersonation.accessToken)
        }
    }

    @Test func `IM-03: opens no session by a key that is revoked while it is opened`() async throws {
        try await world.registered()
        let key = try await key()
        let id = try await accountID()
        let world = world
        world.store.interrupt("addSession") { _ = try await world.store.revokeServiceKey(key.id, at: world.clock.now) }
        let problem = await problem { _ = try await administration(by: key).impersonate(id, reason: "r") }
        #expect(problem?.code == "impersonation_forbidden")
        #expect(try await world.administration.sessions(of: ada).count == 1)
    }

    @Test func `ends no session of the owner, however many there are`() async throws {
        try await world.registered()
        let world = world
        for _ in 0..<3 {
            _ = try await world.signIn()
        }
        let account = try #require(try await world.account())
        for number in 0..<(Session.limitPerAccount - 4) {
            let session = Session(
                id: try SessionID("s\(number)"), app: account.app, accountID: account.id, createdAt: world.clock.now,
                idleSeconds: 600, endsAt: world.clock.now.addingTimeInterval(600))
            #expect(try await world.store.add(session, credentialVersion: account.credentialVersion))
        }
        _ = try await impersonated()
        let states = try await world.store.sessions(of: account.id, in: account.app, at: world.clock.now)
        #expect(states.count { $0.actor == nil } >= Session.limitPerAccount - 1)
        #expect(try await world.store.session(SessionID("s0"), in: account.app)?.session.revocation == nil)
    }
}
