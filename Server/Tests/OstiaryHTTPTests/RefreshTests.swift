import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// The lifecycle of refresh tokens from a client's perspective.
@Suite(.timeLimit(.minutes(5)))
struct RefreshTests {
    @Test(arguments: Contract.withRefresh, Link.allCases)
    func `answers an earlier token with the current one as long as nobody used that`(
        contract: Contract, link: Link
    ) async throws {
        try await AppClient.run(contract, over: link) { client in
            let first = try await client.register().tokens.refreshToken
            let next = try await client.refresh(first)
            client.world.clock.advance(by: .seconds(3600))
            let again = try await client.refresh(first)
            #expect(again.refreshToken == next.refreshToken)
            #expect(again.accessToken != next.accessToken)
        }
    }

    @Test(arguments: Contract.withRefresh, Link.allCases)
    func `answers an earlier token with the current one 29 seconds after its successor was used`(
        contract: Contract, link: Link
    ) async throws {
        try await AppClient.run(contract, over: link) { client in
            let first = try await client.register().tokens.refreshToken
            let second = try await client.refresh(first).refreshToken
            let third = try await client.refresh(second).refreshToken
            client.world.clock.advance(by: .seconds(29))
            #expect(try await client.refresh(first).refreshToken == third)
        }
    }

    @Test(arguments: Contract.withRefresh, Link.allCases)
    func `ends the session when an earlier token comes 30 seconds after its successor was used`(
        contract: Contract, link: Link
    ) async throws {
        try await AppClient.run(contract, over: link) { client in
            let jo = try await client.register()
            let second = try await client.refresh(jo.tokens.refreshToken).refreshToken
            let third = try await client.refresh(second)
            client.world.clock.advance(by: .seconds(30))
            await #expect(throws: AuthError.refreshTokenReused) { try await client.refresh(jo.tokens.refreshToken) }
            await #expect(throws: AuthError.refreshTokenReused) { try await client.refresh(third.refreshToken) }
            await #expect(throws: AuthError.sessionRevoked) { try await client.user(jo) }
        }
    }

    @Test(arguments: Contract.withRefresh)
    func `takes the acceptance of an access token for the use of its refresh token`(contract: Contract) async throws {
        try await AppClient.run(contract, over: .inProcess) { client in
            let first = try await client.register().tokens.refreshToken
            let next = try await client.refresh(first)
            _ = try await client.auth.perform(CurrentUser(accessToken: next.accessToken))
            client.world.clock.advance(by: .seconds(30))
            await #expect(throws: AuthError.refreshTokenReused) { try await client.refresh(first) }
        }
    }

    @Test(arguments: Contract.withRefresh, Link.allCases)
    func `refuses the refresh token of a session that was signed out`(contract: Contract, link: Link) async throws {
        try await AppClient.run(contract, over: link) { client in
            let jo = try await client.register()
            try await client.signOut(jo)
            await #expect(throws: AuthError.refreshTokenRevoked) { try await client.refresh(jo.tokens.refreshToken) }
        }
    }

    @Test(arguments: Contract.withRefresh)
    func `refuses the refresh token of a disabled account`(contract: Contract) async throws {
        try await AppClient.run(contract, over: .inProcess) { client in
            let jo = try await client.register()
            try await client.change(.init(isActive: false))
            await #expect(throws: AuthError.accountDisabled) { try await client.refresh(jo.tokens.refreshToken) }
        }
    }

    @Test(arguments: Contract.withRefresh)
    func `refuses a refresh token that was not used for longer than it lives`(contract: Contract) async throws {
        try await AppClient.run(contract, over: .inProcess) { client in
            let rules = try #require(contract.rules.refresh)
            let jo = try await client.register()
            client.world.clock.advance(by: .seconds(Double(rules.shortSeconds ?? rules.seconds)))
            await #expect(throws: AuthError.refreshTokenExpired) { try await client.refresh(jo.tokens.refreshToken) }
        }
    }
}
