import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import Security
import Testing

@testable import OstiaryClient

/// Tests of the items that contracts name, and that apps without this SDK have left.
struct NamedItemsTests {
    // MARK: Layout

    @Test func `timetracker: the token in the Keychain alone, service com.timetracker.app, account accessToken`()
        async throws
    {
        let contract = Contract.timetracker
        #expect(contract.client.keychain.service == "com.timetracker.app")
        let place = KeychainPlace(.timetracker)
        try await place.again().put(try SampleSessions.all)
        #expect(Set(place.shim.accounts) == ["accessToken", "ostiary"])
        #expect(place.text("accessToken") == "access/token")
        #expect(place.text("ostiary")?.contains("access/token") == false)
        #expect(
            place.shim.protection(account: "accessToken") == kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String)
    }

    @Test func `clarity: tokens in accounts access_token and refresh_token`() async throws {
        let place = KeychainPlace(.clarity)
        try await place.again().put(try SampleSessions.all)
        #expect(Set(place.shim.accounts) == ["access_token", "refresh_token", "ostiary"])
        #expect(place.text("access_token") == "access/token" && place.text("refresh_token") == "refresh token")
        for token in ["access/token", "\"refresh token"] { #expect(place.text("ostiary")?.contains(token) == false) }
    }

    @Test
    func `barqnet: service com.barqnet.ios, accounts auth_tokens and current_user, issuance time kept with the tokens`()
        async throws
    {
        #expect(Contract.barqnet.client.keychain.service == "com.barqnet.ios")
        let place = KeychainPlace(.barqnet)
        try await place.again().put(try SampleSessions.all)
        #expect(Set(place.shim.accounts) == ["auth_tokens", "current_user", "ostiary"])
        let json = try JSON.read(Array((place.text("auth_tokens") ?? "").utf8))
        let session = try SampleSessions.all.sessions[0]
        #expect(
            json == [
                "access_token": "access/token", "refresh_token": "refresh token", "expires_in": .integer(3600),
                "issued_at": .integer(Int(session.issuedAt.timeIntervalSince1970)),
            ])
        #expect(place.text("current_user") == session.label)
    }

    @Test(arguments: KeychainPlace.Layout.named)
    func `empties them at sign-out, and keeps the sign-out that is untold`(
        _ layout: KeychainPlace.Layout
    ) async throws {
        let place = KeychainPlace(layout)
        try await place.again().put(try SampleSessions.all)
        let now = Date(timeIntervalSince1970: 1_800_000_100)
        try await place.again().change { saved in
            for session in saved.sessions { saved.signOut(session, at: now) }
        }
        #expect(place.shim.accounts == ["ostiary"])
        #expect(await (try place.again()).found?.pendingRevocations.count == 3)
        try await place.again().put(.none)
        #expect(place.shim.count == 0)
    }

    // MARK: An app that was there before

    /// Returns a keychain with the items of an app without this SDK.
    private func original(_ layout: KeychainPlace.Layout, access: String = "old-access") -> KeychainPlace {
        let place = KeychainPlace(layout)
        switch layout {
        case .timetracker: place.put(access, "accessToken")
        case .clarity:
            place.put(access, "access_token")
            place.put("old-refresh", "refresh_token")
        default:
            place.put(
                "{\"access_token\":\"\(access)\",\"refresh_token\":\"old-refresh\",\"expires_in\":3600}", "auth_tokens")
            place.put("+15551234567", "current_user")
        }
        return place
    }

    @Test(arguments: KeychainPlace.Layout.named)
    func `goes on with the session of an app that was there before`(_ layout: KeychainPlace.Layout) async throws {
        let place = original(layout)
        let before = place.texts
        let found = try #require(await (try place.again()).found)
        let session = try #require(found.currentSession)
        #expect(session.accessToken.reveal() == "old-access" && session.accountID == nil)
        #expect(session.refreshToken?.reveal() == (layout == .timetracker ? nil : "old-refresh"))
        #expect(session.label == (layout == .barqnet ? "+15551234567" : ""))
        #expect(session.baseURL == (try SampleSessions.baseURL))
        #expect(session.contract == SampleSessions.contract)
        // The same at every reading, and nothing written by reading.
        #expect(await (try place.again()).found == found)
        #expect(place.texts == before)

        try await place.again().change { $0[session.id]?.accessToken = Secret("new-access") }
        let renewed = try #require(await (try place.again()).found?.currentSession)
        #expect(renewed.id == session.id && renewed.accessToken.reveal() == "new-access")
        for account in place.shim.accounts { #expect(place.shim.generic(account: account) != nil) }
    }

    @Test func `takes from the token itself when it ends, where nothing else says`() async throws {
        let claims = Data("{\"iat\":1800000000,\"exp\":1800003600}".utf8).base64EncodedString()
            .replacing("=", with: "")
        let place = original(.timetracker, access: "e30.\(claims).c2ln")
        let session = try #require(await (try place.again()).found?.currentSession)
        #expect(session.issuedAt == Date(timeIntervalSince1970: 1_800_000_000))
        #expect(session.expiresAt == Date(timeIntervalSince1970: 1_800_003_600))
    }

    @Test func `takes from the item when the token ends`() async throws {
        let place = original(.barqnet)
        place.put("{\"access_token\":\"a\",\"expires_in\":3600,\"issued_at\":1800000000}", "auth_tokens")
        let session = try #require(await (try place.again()).found?.currentSession)
        #expect(session.expiresAt == Date(timeIntervalSince1970: 1_800_003_600))
        #expect(session.refreshToken == nil)
    }

    @Test func `refreshes first where only the refresh token is left`() async throws {
        let place = KeychainPlace(.clarity)
        place.put("old-refresh", "refresh_token")
        let session = try #require(await (try place.again()).found?.currentSession)
        #expect(session.refreshToken?.reveal() == "old-refresh")
        #expect(session.expiresAt == Date(timeIntervalSince1970: 0))
    }

    @Test(arguments: ["junk", "{\"token\":\"a\"}", "[]"])
    func `sets aside an item of which it can make nothing`(_ text: String) async throws {
        let place = KeychainPlace(.barqnet)
        place.put(text, "auth_tokens")
        #expect(
            await (try place.again()).read()
                == .unavailable(
                    .damaged(setAside: "the keychain item auth_tokens.damaged-1 of \(place.service)")))
        #expect(place.texts == ["auth_tokens.damaged-1": text])
    }

    @Test(arguments: KeychainPlace.Layout.named)
    func `goes on with the tokens when the companion is damaged`(_ layout: KeychainPlace.Layout) async throws {
        let place = KeychainPlace(layout)
        try await place.again().put(try SampleSessions.all)
        place.put("junk", "ostiary")
        #expect(
            await (try place.again()).read()
                == .unavailable(.damaged(setAside: "the keychain item ostiary.damaged-1 of \(place.service)")))
        #expect(await (try place.again()).found?.currentSession?.accessToken.reveal() == "access/token")
    }

    @Test(arguments: KeychainPlace.Layout.named)
    func `gives up on an item that is not shown and yet in the way`(_ layout: KeychainPlace.Layout) async throws {
        let place = KeychainPlace(layout)
        let account = place.account(layout == .barqnet ? .session : .accessToken)
        place.put("undecipherable", account)
        place.shim.hidden = [account]
        await #expect(throws: StoreProblem.busy) { try await place.again().put(try SampleSessions.all) }
    }

    @Test(arguments: [
        ("{\"id\":\"7\",\"phone_number\":\"+15551234567\"}", "+15551234567"), ("{\"id\":\"7\"}", ""),
        ("+15551234567", "+15551234567"),
    ])
    func `barqnet: reads the phone number of an account in JSON`(_ stored: String, _ label: String) async throws {
        let place = KeychainPlace(.barqnet)
        place.put("{\"access_token\":\"a\"}", "auth_tokens")
        place.put(stored, "current_user")
        #expect(await (try place.again()).found?.currentSession?.label == label)
    }

    // MARK: An app that comes back

    @Test(arguments: KeychainPlace.Layout.named)
    func `believes no companion about a token that another program wrote`(
        _ layout: KeychainPlace.Layout
    ) async throws {
        let place = KeychainPlace(layout)
        var all = try SampleSessions.all
        all.deviceID = "device-1"
        try await place.again().put(all)
        // Sams's, signed in with the app as it was before.
        switch layout {
        case .barqnet: place.put("{\"access_token\":\"sams\"}", "auth_tokens")
        default: place.put("sams", place.account(.accessToken))
        }
        let found = try #require(await (try place.again()).found)
        #expect(found.currentSession?.accessToken.reveal() == "sams")
        #expect(found.currentSession?.accountID == nil && found.currentSession?.user == nil)
        #expect(found[all.sessions[0].id] == nil)
        #expect(found.sessions.contains(all.sessions[1]))
        #expect(found.pendingRevocations == all.pendingRevocations && found.deviceID == "device-1")
    }

    @Test(arguments: KeychainPlace.Layout.named)
    func `has nobody signed in when another program took the token`(_ layout: KeychainPlace.Layout) async throws {
        let place = KeychainPlace(layout)
        try await place.again().put(try SampleSessions.all)
        for account in place.shim.accounts where account != "ostiary" { place.remove(account) }
        let found = try #require(await (try place.again()).found)
        #expect(found.currentSession == nil)
        #expect(found.pendingRevocations == (try SampleSessions.all.pendingRevocations))
    }

    @Test(arguments: KeychainPlace.Layout.named)
    func `keeps the tokens that had not arrived when another program wrote`(
        _ layout: KeychainPlace.Layout
    ) async throws {
        let place = KeychainPlace(layout)
        let all = try SampleSessions.all
        place.shim.writesLeft = 1
        await #expect(throws: StoreProblem.self) { try await place.again().put(all) }
        place.shim.writesLeft = nil
        place.put(
            layout == .barqnet ? "{\"access_token\":\"sams\"}" : "sams",
            place.account(layout == .barqnet ? .session : .accessToken))
        let found = try #require(await (try place.again()).found)
        #expect(found.currentSession?.accessToken.reveal() == "sams")
        #expect(found[all.sessions[0].id] == all.sessions[0])
    }
}
