import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// What is kept of who signed in, and when.
struct KeptSessionTests {
    @Test func `who signed in, the tokens and their end`() async throws {
        let device = try Device()
        try await device.signIn(as: "jo")
        let kept = try #require(device.store.saved.currentSession)
        let jo = try AccountID("jo")
        #expect(kept.label == "jo@example.com" && kept.accountID == jo)
        #expect(kept.accessToken == Secret("access-1") && kept.refreshToken == Secret("refresh-1"))
        #expect(kept.issuedAt == TestClock.start && kept.expiresAt == TestClock.start.addingTimeInterval(3600))
    }

    @Test func `what was typed, where the server does not say who it is`() async throws {
        let device = try Device(.vici)
        let tokens = Tokens(accessToken: Secret("opaque"), expiresIn: nil, refreshToken: nil)
        let session = await device.keeper.beginSession(SignedIn(tokens: tokens, user: nil), label: "typed")
        #expect(session.label == "typed")
        #expect(device.store.saved.currentSession?.label == "typed")
    }

    @Test func `a renewed token is stored before it is used`() async throws {
        let device = try Device()
        try await device.signIn()
        let store = device.store
        device.network.on(
            .bearer("access-2"),
            .answer { _ in
                store.saved.currentSession?.accessToken == Secret("access-2") ? .ok : WireResponse(status: 500)
            })
        device.network.on(.bearer("access-1"), .status(401))
        let _: EmptyBody = try await device.client.get("/things")
        #expect(device.refreshes == 1)
    }

    @Test func `the refresh token of a server that sends no new one`() async throws {
        let tokens = Tokens(accessToken: Secret("new"), expiresIn: .seconds(60), refreshToken: nil)
        let now = TestClock.start + 100
        let renewed = try SampleSessions.session().renewed(with: tokens, at: now)
        #expect(renewed.refreshToken == Secret("refresh-1") && renewed.accessToken == Secret("new"))
        #expect(renewed.expiresAt == now + 60 && renewed.issuedAt == now)
    }

    @Test func `a program that ends waits for the refresh that is under way`() async throws {
        let device = try Device()
        try await device.signIn()
        let point = HoldingPoint()
        device.onRefresh(.pass.held(at: point))
        // Enough for a request, and little enough to have it renewed meanwhile.
        device.clock.advance(by: .seconds(3550))
        #expect(try await device.token() == "access-1")
        try await point.arrivals(1)
        async let settled: Void = device.client.settle()
        point.open()
        await settled
        #expect(device.stored == "access-2")
    }
}
