import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import Security
import Testing

@testable import OstiaryClient

/// Tests of a store that is held while the named items follow its index item, and of another that takes over from it.
struct KeychainTakeoverTests {
    private func session(_ name: String) throws -> ClientSession {
        try SampleSessions.session(name, accessToken: "\(name)s-access", refreshToken: "\(name)s-refresh")
    }

    /// Signs Jo in, and holds a store that switches to Sam before it writes a named item.
    private func held(
        _ layout: KeychainPlace.Layout, before item: Int
    ) async throws -> (KeychainPlace, Interruption, Task<Void, any Error>) {
        let (jo, sam) = (try session("jo"), try session("sam"))
        let place = KeychainPlace(layout)
        try await place.again().put(SavedSessions(sessions: [jo, sam], current: jo.id))
        // The first is the index item.
        let gate = Interruption(at: 1 + item, of: "SecItemUpdate")
        place.shim.beforeCall { gate.pass($0) }
        let store = try place.again()
        let change = Task { try await store.change { $0.current = sam.id } }
        await gate.isReached()
        return (place, gate, change)
    }

    private static let items = KeychainPlace.Layout.named.flatMap { layout in
        (1...layout.rules.items.count).map { (layout, $0) }
    }

    @Test(arguments: items)
    func `a store that was overtaken writes no token over its successor's`(
        _ layout: KeychainPlace.Layout, _ item: Int
    ) async throws {
        let (place, gate, change) = try await held(layout, before: item)
        let third = try session("third")
        try await place.again().change { $0.use(third) }
        gate.goOn()
        try await change.value
        place.shim.beforeCall(nil)
        let saved = try #require(await (try place.again()).found)
        #expect(saved.currentSession == third && saved.sessions.count == 3)
        for text in place.texts where text.key != NamedItems.index { #expect(!text.value.contains("sams-")) }
    }

    @Test(arguments: items)
    func `a store that was overtaken writes no token over one that its successor found right`(
        _ layout: KeychainPlace.Layout, _ item: Int
    ) async throws {
        let (place, gate, change) = try await held(layout, before: item)
        let jo = try session("jo")
        try await place.again().change { $0.current = jo.id }
        gate.goOn()
        try await change.value
        place.shim.beforeCall(nil)
        #expect(await (try place.again()).found?.currentSession == jo)
        for text in place.texts where text.key != NamedItems.index { #expect(!text.value.contains("sams-")) }
    }

    // MARK: Items that did not exist before

    /// Holds a first sign-in before it adds an item, so that a sign-out overtakes it.
    private func late(
        _ layout: KeychainPlace.Layout, before item: Int
    ) async throws -> (KeychainPlace, Interruption, Task<Void, any Error>) {
        let place = KeychainPlace(layout)
        let gate = Interruption(at: 1 + item, of: "SecItemAdd")
        place.shim.beforeCall { gate.pass($0) }
        let (store, jo) = (try place.again(), try session("jo"))
        let change = Task { try await store.change { $0.use(jo) } }
        await gate.isReached()
        try await place.again().put(.none)
        return (place, gate, change)
    }

    private func holdsAToken(_ place: KeychainPlace) -> Bool {
        place.texts.contains { $0.value.contains("jos-access") || $0.value.contains("jos-refresh") }
    }

    @Test(arguments: items)
    func `a store that adds an item too late takes it away again`(
        _ layout: KeychainPlace.Layout, _ item: Int
    ) async throws {
        let (place, gate, change) = try await late(layout, before: item)
        #expect(!holdsAToken(place))
        gate.goOn()
        try await change.value
        #expect(place.shim.accounts == [NamedItems.index])
        #expect(await (try place.again()).found?.currentSession == nil)
        #expect(!holdsAToken(place))
    }

    @Test(arguments: items)
    func `an item that was added too late by one who was killed signs nobody in, and goes with the next change`(
        _ layout: KeychainPlace.Layout, _ item: Int
    ) async throws {
        let (place, gate, change) = try await late(layout, before: item)
        place.shim.writesLeft = 1
        gate.goOn()
        await #expect(throws: StoreProblem.self) { try await change.value }
        place.shim.writesLeft = nil
        place.shim.beforeCall(nil)
        #expect(place.shim.accounts.count == 2)
        #expect(await (try place.again()).found == SavedSessions.none)
        try await place.again().change { $0.deviceID = "device-1" }
        #expect(place.shim.accounts == [NamedItems.index] && !holdsAToken(place))
        #expect(await (try place.again()).found == SavedSessions(deviceID: "device-1"))
    }

    @Test(arguments: KeychainPlace.Layout.named)
    func `an app that knows nothing of this signs in after a sign-out, over what was added too late`(
        _ layout: KeychainPlace.Layout
    ) async throws {
        let (place, gate, change) = try await late(layout, before: layout.rules.items.count)
        gate.goOn()
        try await change.value
        place.shim.beforeCall(nil)
        let account = place.account(layout == .barqnet ? .session : .accessToken)
        // Added too late, and then overwritten as by an app that updates an existing item.
        let late = try place.keychain.write(Array("{\"access_token\":\"jos\"}".utf8), to: account, over: nil)
        #expect(late != nil)
        place.replace("{\"access_token\":\"sams\"}", account)
        let token = layout == .barqnet ? "sams" : "{\"access_token\":\"sams\"}"
        #expect(await (try place.again()).found?.currentSession?.accessToken.reveal() == token)
    }
}
