import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import Testing

struct SavedSessionTests {
    private let request = WireRequest(method: "GET", path: "/things")

    // MARK: Beginning

    @Test func `stores who signed in, with the tokens and their expiry`() async throws {
        let account = try StoredAccount(transport: ScriptedTransport { _ in .ok })
        let user = User(id: try AccountID("u1"), email: try EmailAddress("Jo@example.com"))
        let tokens = Tokens(accessToken: Secret("a"), expiresIn: .seconds(3600), refreshToken: Secret("r"))
        try await account.session.begin(SignedIn(tokens: tokens, user: user), account: "typed")
        let record = try #require(try await account.session.stored())
        #expect(record.account == "Jo@example.com" && record.accountID == user.id)
        #expect(record.accessToken == Secret("a") && record.refreshToken == Secret("r"))
        #expect(record.expiresAt == TestTime.start + 3600 && record.savedAt == TestTime.start)
    }

    @Test func `stores what was typed where the server does not say who it is`() async throws {
        let account = try StoredAccount(transport: ScriptedTransport { _ in .ok })
        let tokens = Tokens(accessToken: Secret("a"), expiresIn: nil, refreshToken: nil)
        try await account.session.begin(SignedIn(tokens: tokens, user: nil), account: "typed")
        #expect(try await account.session.stored()?.account == "typed")
    }

    @Test func `ends the session that it replaces`() async throws {
        let transport = ScriptedTransport { _ in .ok }
        let account = try StoredAccount(transport: transport)
        try await account.put(1)
        let tokens = Tokens(accessToken: Secret("access-2"), expiresIn: nil, refreshToken: nil)
        try await account.session.begin(SignedIn(tokens: tokens, user: nil), account: "jo")
        #expect(await account.number() == 2)
        #expect(transport.summary == ["/logout"] && transport.calls[0].bodyText.contains("refresh-1"))
    }

    // MARK: Requests

    @Test func `sends nothing while nobody is signed in`() async throws {
        let transport = ScriptedTransport { _ in .ok }
        let account = try StoredAccount(transport: transport)
        await #expect(throws: SessionFailure.notSignedIn) { try await account.session.send(request) }
        #expect(transport.calls.isEmpty)
        #expect(try await account.session.stored() == nil)
    }

    @Test func `sends nothing while the store is unavailable, and deletes nothing`() async throws {
        let transport = ScriptedTransport { _ in .ok }
        let account = try StoredAccount(transport: transport)
        try await account.put(1)
        try setMode(0o755, of: account.store.directory)
        await #expect(throws: SessionFailure.store(.notPrivate(path: account.store.directory))) {
            try await account.session.send(request)
        }
        try setMode(0o700, of: account.store.directory)
        #expect(await account.number() == 1)
        #expect(transport.calls.isEmpty)
    }

    @Test func `does not send a token to another server than the one that gave it`() async throws {
        let transport = ScriptedTransport { _ in .ok }
        let account = try StoredAccount(transport: transport)
        let locked = try await account.store.lock()
        try locked.write(try SessionRecordTests.record())
        locked.unlock()
        await #expect(throws: SessionFailure.notSignedIn) { try await account.session.send(request) }
        #expect(transport.calls.isEmpty)
    }

    @Test func `asks for JSON with the bearer token, as every contract has it`() async throws {
        let transport = ScriptedTransport { _ in WireResponse(status: 418) }
        let account = try StoredAccount(transport: transport)
        try await account.put(1)
        let answer = try await account.session.request("POST", "/a%20b?c=d?e", body: ["x": 1])
        #expect(answer.status == 418)
        let sent = try #require(transport.calls.first).request
        #expect(sent.method == "POST" && sent.path == "/a%20b" && sent.query == "c=d?e")
        #expect(sent.body == Array("{\"x\":1}".utf8))
        #expect(
            sent.headers == [
                "authorization": "Bearer access-1", "content-type": "application/json", "accept": "application/json",
            ])
    }

    @Test func `tells who is signed in`() async throws {
        let user = User(id: try AccountID("u1"), email: try EmailAddress("jo@example.com"))
        let script = ScriptedAuth { call throws(AuthError) in
            guard (call as? CurrentUser)?.accessToken == Secret("access-1") else { throw .invalidAccessToken }
            return user
        }
        let account = try StoredAccount(
            transport: InProcessTransport(codec: Codec(.clarity), service: script))
        try await account.put(1)
        #expect(try await account.session.currentUser() == user)
    }

    @Test func `passes on why the server does not tell who it is`() async throws {
        let account = try StoredAccount(transport: ScriptedTransport { _ in .refusal(.unavailable(incident: "i7")) })
        try await account.put(1)
        await #expect(throws: SessionFailure.refused(.unavailable(incident: "i7"))) {
            try await account.session.currentUser()
        }
        #expect(await account.number() == 1)
    }

    @Test func `passes on that there was no answer`() async throws {
        let account = try StoredAccount(transport: ScriptedTransport { _ throws(TransportError) in throw .offline })
        try await account.put(1)
        await #expect(throws: SessionFailure.unreachable(.offline)) { try await account.session.send(request) }
    }

    // MARK: A 401

    @Test func `refreshes after a 401 and asks once more, with the tokens saved before`() async throws {
        let home = try TemporaryDirectory()
        let transport = ScriptedTransport { call in
            if call.isRefresh { return .tokens(2) }
            guard call.bearer == "access-2" else { return .unauthorized }
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(home.path)/ostiary")) ?? []
            let stored = files.first { $0.hasSuffix(".json") }
                .flatMap { try? String(contentsOfFile: "\(home.path)/ostiary/\($0)", encoding: .utf8) }
            return WireResponse(status: stored?.contains("\"access-2\"") == true ? 200 : 500)
        }
        let account = try StoredAccount(home: home, transport: transport)
        try await account.put(1)
        #expect(try await account.session.send(request).status == 200)
        #expect(transport.summary == ["access-1", "/refresh", "access-2"])
        #expect(await account.number() == 2)
    }

    @Test func `returns a second 401 and keeps the session`() async throws {
        let transport = ScriptedTransport { $0.isRefresh ? .tokens(2) : .unauthorized }
        let account = try StoredAccount(transport: transport)
        try await account.put(1)
        #expect(try await account.session.send(request).status == 401)
        #expect(transport.summary == ["access-1", "/refresh", "access-2"])
        #expect(await account.number() == 2)
    }

    @Test func `takes a sibling's token after a 401 instead of refreshing`() async throws {
        let account = Reference<StoredAccount>()
        let transport = ScriptedTransport { call in
            if call.bearer == "access-1" {
                try? await account.value?.put(5)
                return .unauthorized
            }
            return .ok
        }
        let made = try StoredAccount(transport: transport)
        account.value = made
        defer { account.value = nil }
        try await made.put(1)
        #expect(try await made.session.send(request).status == 200)
        #expect(transport.summary == ["access-1", "access-5"])
    }

    @Test func `does not bring back a session that a sibling has ended`() async throws {
        let account = Reference<StoredAccount>()
        let transport = ScriptedTransport { _ in
            if let locked = try? await account.value?.store.lock() { try? locked.clear() }
            return .unauthorized
        }
        let made = try StoredAccount(transport: transport)
        account.value = made
        defer { account.value = nil }
        try await made.put(1)
        await #expect(throws: SessionFailure.notSignedIn) { try await made.session.send(request) }
        #expect(transport.summary == ["access-1"])
        #expect(await made.store.read() == .absent)
    }

    @Test(arguments: ["timetracker", "viewvault"])
    func `ends the session on a 401 where there is no refresh`(_ name: String) async throws {
        let contract = try #require(Contract.preset(name))
        let transport = ScriptedTransport { _ in .refusal(.sessionRevoked, in: contract) }
        let account = try StoredAccount(contract: contract, transport: transport)
        try await account.put(1, contract: contract)
        await #expect(throws: SessionFailure.ended(.sessionRevoked)) { try await account.session.send(request) }
        #expect(await account.store.read() == .absent)
        #expect(transport.summary == ["access-1"])
    }

    @Test func `does not end a sibling's session because it has little time left`() async throws {
        let account = Reference<StoredAccount>()
        let transport = ScriptedTransport { call in
            guard call.bearer == "access-1" else { return .ok }
            try? await account.value?.put(5, contract: .timetracker)
            account.value?.time.pass(.seconds(3595))
            return .unauthorized
        }
        let made = try StoredAccount(contract: .timetracker, transport: transport)
        account.value = made
        defer { account.value = nil }
        try await made.put(1, contract: .timetracker)
        #expect(try await made.session.send(request).status == 200)
        #expect(await made.number() == 5)
    }

    @Test func `ends a session without refresh on the 401 after a sibling's token too`() async throws {
        let account = Reference<StoredAccount>()
        let transport = ScriptedTransport { call in
            if call.bearer == "access-1" { try? await account.value?.put(5, contract: .timetracker) }
            return .unauthorized
        }
        let made = try StoredAccount(contract: .timetracker, transport: transport)
        account.value = made
        defer { account.value = nil }
        try await made.put(1, contract: .timetracker)
        await #expect(throws: SessionFailure.ended(.invalidAccessToken)) { try await made.session.send(request) }
        #expect(transport.summary == ["access-1", "access-5"])
        #expect(await made.store.read() == .absent)
    }

    @Test func `knows without asking that a token has expired where there is no refresh`() async throws {
        let transport = ScriptedTransport { _ in .ok }
        let account = try StoredAccount(contract: .viewvault, transport: transport)
        try await account.put(1, lasting: 60, contract: .viewvault)
        account.time.pass(.seconds(60))
        await #expect(throws: SessionFailure.ended(.invalidAccessToken)) { try await account.session.send(request) }
        #expect(transport.calls.isEmpty)
    }
}
