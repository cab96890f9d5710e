import Foundation
import OstiaryClient
import OstiaryContracts
import OstiaryCore
import Testing

struct SignOutTests {
    @Test func `clears the store before it tells the server, with both tokens and briefly`() async throws {
        let account = Reference<StoredAccount>()
        let transport = ScriptedTransport { _ in
            await account.value?.store.read() == .absent ? .ok : WireResponse(status: 500)
        }
        let made = try StoredAccount(transport: transport)
        account.value = made
        defer { account.value = nil }
        try await made.put(1)
        #expect(try await made.session.end() == .ended)
        let call = try #require(transport.calls.first)
        #expect(call.bearer == "access-1" && call.bodyText == "{\"refresh_token\":\"refresh-1\"}")
        #expect(call.deadline == .seconds(5))
    }

    @Test(arguments: Contract.presets.map(\.name))
    func `ends the session in every contract`(_ name: String) async throws {
        let contract = try #require(Contract.preset(name))
        let script = ScriptedAuth { call throws(AuthError) in
            guard (call as? SignOut)?.accessToken == Secret("access-1") else { throw .malformedRequest }
            return Done()
        }
        let account = try StoredAccount(
            contract: contract, transport: InProcessTransport(codec: Codec(contract), service: script))
        try await account.put(1, contract: contract)
        #expect(try await account.session.end() == .ended)
    }

    @Test func `says that nobody was signed in, and asks nobody`() async throws {
        let transport = ScriptedTransport { _ in .ok }
        let account = try StoredAccount(transport: transport)
        #expect(try await account.session.end() == .wasSignedOut)
        #expect(await account.store.read() == .absent)
        #expect(transport.calls.isEmpty)
    }

    @Test func `forgets the session offline, and says that the server does not know`() async throws {
        let account = try StoredAccount(transport: ScriptedTransport { _ throws(TransportError) in throw .offline })
        try await account.put(1)
        #expect(try await account.session.end() == .endedHereOnly(.unreachable(.offline)))
        #expect(await account.store.read() == .absent)
    }

    @Test func `tells the server nothing when the store cannot be cleared`() async throws {
        let transport = ScriptedTransport { _ in .ok }
        let account = try StoredAccount(transport: transport)
        try await account.put(1)
        try setMode(0o777, of: account.store.directory)
        await #expect(throws: SessionFailure.store(.notPrivate(path: account.store.directory))) {
            try await account.session.end()
        }
        #expect(transport.calls.isEmpty)
    }

    @Test func `shows a fresh token where sign-out takes the access token alone and that has expired`() async throws {
        let script = ScriptedAuth { call throws(AuthError) in
            if (call as? Refresh)?.refreshToken == Secret("refresh-1") {
                return Tokens(
                    accessToken: Secret("access-2"), expiresIn: .seconds(60), refreshToken: Secret("refresh-2"))
            }
            guard (call as? SignOut)?.accessToken == Secret("access-2") else { throw .malformedRequest }
            return Done()
        }
        let account = try StoredAccount(
            contract: .barqnet, transport: InProcessTransport(codec: Codec(.barqnet), service: script))
        try await account.put(1, contract: .barqnet)
        account.time.pass(.seconds(3600))
        #expect(try await account.session.end() == .ended)
        #expect(await account.store.read() == .absent)
    }
}
