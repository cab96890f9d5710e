import Foundation
import OstiaryCore
@testable import OstiaryEngine
import OstiaryEngineTestSupport
import OstiaryTesting
import Testing

/// The assessment of sign-ins, and the owner's notices: see decision 79.
@Suite struct RiskTests {
    private static let here = ListedLocations.berlin
    private static let away = ListedLocations.newYork

    // MARK: Assessment

    @Test func `the audit log has the signals and the country of a sign-in, and no place`() async throws {
        let world = try World.risky()
        try await world.settled()
        #expect(try await world.lastEvent("signIn")?.details == ["country": "DE"])
        try await world.signIn(at: Self.away)
        let event = try #require(try await world.lastEvent("signIn"))
        #expect(
            event.details == [
                "risk_signals": "unrecognized_device,new_country,new_asn,impossible_travel", "risk_score": "95",
                "country": "US",
            ])
    }

    @Test func `a place is known after the first sign-in from it`() async throws {
        let world = try World.risky()
        try await world.settled()
        try await world.signIn(at: Self.away)
        world.clock.advance(by: .seconds(86_400))
        try await world.signIn(at: Self.away)
        #expect(try await world.lastEvent("signIn")?.details == ["country": "US"])
    }

    @Test func `a failed sign-in records no place`() async throws {
        let world = try World.risky()
        try await world.settled()
        _ = await refusal { try await world.signIn(at: Self.away, password: "wrong password") }
        #expect(try await world.lastEvent("signIn")?.details == [:])
        try await world.signIn(at: Self.away)
        #expect(try await world.lastEvent("signIn")?.details["risk_score"] == "95")
    }

    @Test func `failures of the network, a proxy and a recent reset are signals`() async throws {
        let world = try World.risky()
        try await world.settled()
        for _ in 1...5 {
            _ = await refusal { try await world.signIn(at: ListedLocations.proxy, password: "wrong one") }
        }
        let token = try await world.resetToken()
        _ = try await world.engine(at: Self.here).perform(
            ResetPassword(proof: .token(token), password: Secret(goodPassword)))
        try await world.signIn(at: ListedLocations.proxy)
        #expect(
            try await world.lastEvent("signIn")?.details["risk_signals"]
                == "unrecognized_device,network_failures,anonymizing_network,recent_reset")
    }

    @Test func `a dormant account is a signal`() async throws {
        let world = try World.risky()
        try await world.settled()
        world.clock.advance(by: .seconds(200 * 86_400))
        try await world.signIn(at: Self.here)
        #expect(
            try await world.lastEvent("signIn")?.details["risk_signals"] == "unrecognized_device,dormant_account")
    }

    @Test func `a registration is not assessed`() async throws {
        let world = try World.risky()
        _ = try await world.engine(at: ListedLocations.proxy).perform(
            Register(email: EmailAddress(ada), password: Secret(goodPassword), rememberMe: true))
        #expect(try await world.lastEvent("register")?.details == ["country": "DE"])
    }

    @Test func `an app that reacts to no risk records none`() async throws {
        let world = try World.risky(RiskPolicy(notify: .never))
        try await world.settled()
        try await world.signIn(at: Self.away)
        #expect(try await world.lastEvent("signIn")?.details == [:])
        #expect(!world.store.calls.contains("signInHistory"))
    }

    @Test func `a history that cannot be opened is as if there were none`() async throws {
        let world = try World.risky()
        try await world.settled()
        let account = try #require(try await world.account())
        try await world.store.setSignInHistory([1, 2, 3], of: account.id, in: account.app, until: .distantFuture)
        try await world.signIn(at: Self.here)
        #expect(world.failures.reported.count == 1)
    }

    @Test func `the sweep deletes histories and the details of events after 90 days`() async throws {
        let world = try World.risky()
        try await world.settled()
        world.clock.advance(by: .seconds(91 * 86_400))
        _ = try await world.store.sweep(
            at: world.clock.now, endedBefore: .distantPast, auditBefore: .distantPast)
        let account = try #require(try await world.account())
        #expect(try await world.store.signInHistory(of: account.id, in: account.app, at: .distantPast).sealed == nil)
        #expect(try await world.events().allSatisfy { $0.details.isEmpty })
    }

    @Test func `levels are counted by app and outcome`() async throws {
        let world = try World.risky()
        try await world.settled()
        try await world.signIn(at: Self.away)
        let counts = world.engine.ports.operationCounts.counts.filter { $0.key.series == .risks }
        #expect(counts.first { $0.key.method == "high" }?.value == 1)
        #expect(counts.first { $0.key.method == "low" }?.key.outcome == "ok")
    }

    // MARK: Notices

    @Test func `the owner is told of a sign-in from another place, with its time, address and country`() async throws {
        let world = try World.risky()
        try await world.settled()
        #expect(world.signInNotices.isEmpty)
        try await world.signIn(at: Self.away)
        let notice = try #require(world.signInNotices.first)
        #expect(notice.address == Self.away && notice.country == "US" && notice.at == world.clock.now.asStored)
        #expect(world.notificationSealer.messages.last?.recipient == .email(try EmailAddress(ada)))
    }

    @Test func `a wrong password is no reason for a notice`() async throws {
        let world = try World.risky()
        try await world.settled()
        _ = await refusal { try await world.signIn(at: Self.away, password: "wrong password") }
        #expect(world.signInNotices.isEmpty)
    }

    @Test func `an owner gets one notice an hour and five a day`() async throws {
        let world = try World.risky()
        try await world.settled()
        var sent: [Int] = []
        for hour in 0..<24 {
            for minute in [0, 30] {
                let address = "10.0.\(hour).\(minute)"
                try await world.signIn(at: address)
                world.clock.advance(by: .seconds(1800))
            }
            sent.append(world.signInNotices.count)
        }
        #expect(sent[0...3] == [1, 2, 3, 4])
        // One for each fifth of a day since, at most.
        #expect(sent.last.map { (5...9).contains($0) } == true)
    }

    @Test func `an unverified address is told without the address and the country, and can deny the sign-in`()
        async throws
    {
        let world = try World.risky()
        _ = try await world.engine(at: Self.here).perform(
            Register(email: EmailAddress(ada), password: Secret(goodPassword), rememberMe: true))
        world.clock.advance(by: .seconds(86_400))
        try await world.signIn(at: Self.away)
        let notice = try #require(world.signInNotices.first)
        #expect(notice.address == nil && notice.country == nil)
        _ = try await world.engine.signIn(deniedBy: notice.denialToken)
    }

    @Test func `a sign-in is complete although its notice fails`() async throws {
        let world = try World.risky()
        try await world.settled()
        world.notificationSealer.setFull(true)
        try await world.signIn(at: Self.away)
        #expect(world.failures.reported.count == 1)
    }
}
