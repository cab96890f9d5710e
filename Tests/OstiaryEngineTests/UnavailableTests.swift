import Foundation
import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

@Suite struct UnavailableTests {
    private let world: World

    init() throws { world = try World.vici() }

    @Test(arguments: ["count", "accountIdentifiedBy", "addSession", "forgive"])
    func `waves no sign-in through while the store is away`(call: String) async throws {
        try await world.registered()
        world.store.fail(call)
        #expect(await refusal { try await world.signIn() } == .unavailable(incident: "incident-1"))
        #expect(world.failures.reported.map { $0 as? WatchedStore.Away } == [WatchedStore.Away()])
        world.store.recover()
        _ = try await world.signIn()
    }

    @Test func `writes down that it was unavailable`() async throws {
        world.store.fail("accountIdentifiedBy")
        _ = await refusal { try await world.signIn() }
        #expect(try await world.events().map(\.outcome) == ["unavailable"])
    }

    @Test func `is unavailable for a refresh and takes no theft for granted`() async throws {
        let tokens = try await world.registered().tokens
        world.store.fail("rotate")
        #expect(await refusal { try await world.refresh(tokens) } == .unavailable(incident: "incident-1"))
        world.store.recover()
        _ = try await world.refresh(tokens)
    }

    @Test func `is unavailable when a theft cannot be acted on`() async throws {
        let first = try await world.registered().tokens
        try await world.use(world.refresh(first))
        world.clock.advance(by: .seconds(30))
        world.store.fail("revoke")
        #expect(await refusal { try await world.refresh(first) } == .unavailable(incident: "incident-1"))
        world.store.recover()
        #expect(await refusal { try await world.refresh(first) } == .refreshTokenReused)
    }

    @Test func `lets no access token through while its session cannot be read`() async throws {
        let tokens = try await world.registered().tokens
        world.store.fail("session")
        #expect(await refusal { try await world.use(tokens) } == .unavailable(incident: "incident-1"))
        #expect(
            await refusal { try await world.engine.bearer(of: tokens.accessToken) }
                == .unavailable(incident: "incident-2"))
    }

    @Test func `does not take a sign-out for done that was not`() async throws {
        let tokens = try await world.registered().tokens
        world.store.fail("revoke")
        #expect(
            await refusal { try await world.engine.perform(SignOut(accessToken: tokens.accessToken)) }
                == .unavailable(incident: "incident-1"))
    }

    @Test(arguments: [(AppRules.vici, false), (.vici, true), (.barqnet, false)])
    func `sends at the next request what could not be queued at this one`(rules: AppRules, safely: Bool) async throws {
        let world = try World("app", rules) { $0.registersSafely = safely }
        func ask() async throws {
            if rules.identifier == .phoneNumber {
                _ = try await world.engine.perform(RequestCode(phoneNumber: PhoneNumber("+15551234567")))
            } else if safely {
                _ = try await world.registered()
            } else {
                _ = try await world.engine.perform(RequestPasswordReset(email: EmailAddress(ada)))
            }
        }
        world.store.fail("enqueue")
        #expect(await refusal { try await ask() } == .unavailable(incident: "incident-1"))
        world.store.recover()
        world.notificationSealer.setFull(true)
        #expect(await refusal { try await ask() } == .busy(retryAfterSeconds: 30))
        world.notificationSealer.setFull(false)
        for _ in 0..<2 { _ = await refusal { try await ask() } }
        #expect(world.notificationSealer.messages.count == 1)
        // Woken once, when the message was queued.
        #expect(world.notificationSealer.queuedWhenWoken == [1])
    }

    @Test func `gives every incident a report of its own`() async throws {
        world.store.fail("count")
        for number in 1...3 {
            #expect(await refusal { try await world.signIn() } == .unavailable(incident: "incident-\(number)"))
        }
        #expect(world.failures.reported.count == 3)
    }

    @Test func `reports no refusal`() async throws {
        _ = await refusal { try await world.signIn() }
        _ = await refusal { try await world.registered(password: "short") }
        #expect(world.failures.reported.isEmpty)
    }

    @Test func `hands on that it is busy`() async throws {
        world.hasher.whileHashing { throw AuthError.busy(retryAfterSeconds: 2) }
        #expect(await refusal { try await world.signIn() } == .busy(retryAfterSeconds: 2))
        #expect(world.failures.reported.isEmpty)
    }
}
