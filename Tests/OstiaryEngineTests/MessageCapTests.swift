import Foundation
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryEngine

/// The caps on outgoing messages, for every caller.
@Suite struct MessageCapTests {
    private let number: PhoneNumber

    init() throws { number = try PhoneNumber("+15551234567") }

    private func world(
        _ caps: MessageCaps = MessageCaps(), sharing other: World? = nil, _ name: String = "barqnet"
    ) throws -> World {
        try World(name, .barqnet, seed: other == nil ? 1 : 2, sharing: other) { app in
            app.limits = .generous
            app.messages = caps
            app.codes.resendAfterSeconds = 1
        }
    }

    /// Requests a code and lets the cooldown pass.
    private func ask(_ world: World, _ number: PhoneNumber, from network: String? = nil) async -> AuthError? {
        defer { world.clock.advance(by: .seconds(1)) }
        return await refusal {
            try await world.engine.serving(Caller(address: network, network: network)).perform(
                RequestCode(phoneNumber: number))
        }
    }

    private func reset(_ world: World, _ email: String, from network: String? = nil) async throws {
        _ = try await world.engine.serving(Caller(network: network)).perform(
            RequestPasswordReset(email: EmailAddress(email)))
        world.clock.advance(by: .seconds(60))
    }

    @Test func `PT-02: sends ten messages a day to one number, of which two are the owner's`() async throws {
        let world = try world()
        let (unknown, home) = ("192.0.2.1", "198.51.100.1")
        try await remember(home, of: number, in: world)
        for _ in 0..<8 { #expect(await ask(world, number, from: unknown) == nil) }
        #expect(await ask(world, number, from: unknown)?.code == "too_many_attempts")
        for _ in 0..<2 { #expect(await ask(world, number, from: home) == nil) }
        #expect(await ask(world, number, from: home)?.code == "too_many_attempts")
        #expect(world.notificationSealer.messages.count == 10)
        var sent = 0
        for _ in 0..<24 {
            world.clock.advance(by: .seconds(3600))
            if await ask(world, number, from: home) == nil { sent += 1 }
        }
        #expect((9...10).contains(sent))
    }

    /// Makes a network known to the account of a number.
    private func remember(_ network: String, of number: PhoneNumber, in world: World) async throws {
        let account = try await world.store.add(
            NewAccount(
                app: world.engine.app.name, idKind: world.engine.app.rules.accountIDs, phoneNumber: number,
                passwordHash: "current:\(goodPassword)", createdAt: world.clock.now), spending: nil)
        await world.engine.serving(Caller(network: network)).rememberNetwork(for: account)
    }

    @Test func `PT-02: device links leave the part of the cap that is kept for resets`() async throws {
        let world = try World("vici", .vici) { $0.limits = .generous }
        try await world.registered()
        let before = world.notificationSealer.messages.count
        let engine = world.engine.serving(Caller(network: "192.0.2.1"))
        for _ in 0..<12 {
            _ = try await engine.perform(RequestDeviceLink(identifier: .email(EmailAddress(ada))))
            world.clock.advance(by: .seconds(60))
        }
        #expect(world.notificationSealer.messages.count - before == 8)
        for _ in 0..<2 { try await reset(world, ada, from: "203.0.113.1") }
        #expect(world.notificationSealer.messages.count - before == 10)
    }

    @Test(arguments: [
        ("jo@bücher.example", "Jo@xn--bcher-kva.example"), ("jo@пример.рф", "jo@XN--e1afmkfd.xn--p1ai"),
    ])
    func `the spellings of a mail domain share the cap and the cooldown of their mailbox`(
        letters: String, labels: String
    ) async throws {
        let world = try World("vici", .vici) { $0.limits = .generous }
        let other = Recipient.email(try EmailAddress("jo@buecher.example"))
        let limiter = world.engine.messageLimiter
        let keys = try [letters, labels].map { text in
            limiter.buckets(of: .email(try EmailAddress(text)), hasReserve: false).map(\.bucket.key)
        }
        #expect(keys[0] == keys[1])
        #expect(keys[0].first != limiter.buckets(of: other, hasReserve: false).first?.bucket.key)

        let before = world.notificationSealer.messages.count
        for text in [letters, labels] {
            _ = try await world.engine.perform(RequestDeviceLink(identifier: .email(EmailAddress(text))))
        }
        #expect(world.notificationSealer.messages.count - before == 1)
    }

    @Test(arguments: [(1, 0), (4, 0), (5, 1), (10, 2), (1000, 200)])
    func `PT-02: keeps a fifth of a cap, rounded down`(cap: Int, reserve: Int) {
        #expect(MessageCaps.reserve(of: cap) == reserve)
        #expect(MessageCaps.reserve(of: cap) < cap)
    }

    @Test func `PT-25: a pumped server still sends resets, and codes to owners`() async throws {
        let world = try World("barqnet", .barqnet) { app in
            app.limits = .generous
            app.messages = MessageCaps(perPrefixHour: 1000, perNetworkHour: 1000, perServerHour: 20)
            app.codes.resendAfterSeconds = 1
        }
        try await remember("198.51.100.1", of: number, in: world)
        for index in 0..<30 {
            _ = await ask(world, try PhoneNumber("+4917112\(10_000 + index)"), from: "192.0.2.\(index)")
        }
        #expect(world.notificationSealer.messages.count == 16)
        #expect(await ask(world, number, from: "198.51.100.1") == nil)
        try await reset(world, ada, from: "203.0.113.1")
        #expect(world.notificationSealer.messages.count == 18)
        #expect(await ask(world, try PhoneNumber("+4917112999999"), from: "192.0.2.99") != nil)
    }

    @Test func `RL-11 PT-02: counts the messages of all apps to one number together`() async throws {
        let one = try world()
        let other = try world(sharing: one, "other")
        for _ in 0..<4 {
            #expect(await ask(one, number, from: "192.0.2.1") == nil)
            #expect(await ask(other, number, from: "192.0.2.1") == nil)
            other.clock.setWall(to: one.clock.now)
        }
        #expect(await ask(one, number, from: "192.0.2.1")?.code == "too_many_attempts")
        #expect(await ask(other, number, from: "192.0.2.1")?.code == "too_many_attempts")
    }

    @Test func `PT-02: sends forty messages an hour to the numbers of one prefix`() async throws {
        let world = try world(MessageCaps(perNetworkHour: 1000))
        var sent = 0
        for index in 0..<60 {
            let refusal = await refusal {
                try await world.engine.serving(Caller(network: "192.0.2.1")).perform(
                    RequestCode(phoneNumber: PhoneNumber("+49171123\(1000 + index)")))
            }
            if refusal == nil { sent += 1 }
        }
        #expect(sent == 40)
        #expect(await ask(world, try PhoneNumber("+491712231000"), from: "192.0.2.1") == nil)
    }

    @Test func `PT-02: sends forty messages an hour for one network, and any for another`() async throws {
        let world = try world(MessageCaps(perPrefixHour: 1000))
        var sent = 0
        for index in 0..<60 {
            let refusal = await refusal {
                try await world.engine.serving(Caller(network: "192.0.2.1")).perform(
                    RequestCode(phoneNumber: PhoneNumber("+4917112\(10_000 + index)")))
            }
            if refusal == nil { sent += 1 }
        }
        #expect(sent == 40)
        #expect(await ask(world, number, from: "192.0.2.2") == nil)
    }

    @Test(arguments: [(56, 4), (48, 8)])
    func `PT-02: counts wider networks of IPv6, at twice and four times the cap`(bits: Int, expected: Int)
        async throws
    {
        let world = try world(MessageCaps(perPrefixHour: 1000, perNetworkHour: 2))
        var sent = 0
        for index in 0..<40 {
            let group = bits == 56 ? String(index, radix: 16) : "\(String(index, radix: 16))00"
            let refusal = await refusal {
                try await world.engine.serving(Caller(network: "2001:db8:1:\(group)::/64")).perform(
                    RequestCode(phoneNumber: PhoneNumber("+4917112\(10_000 + index)")))
            }
            if refusal == nil { sent += 1 }
        }
        #expect(sent == expected)
    }

    @Test func `PT-02: caps what the whole server sends in an hour`() async throws {
        let one = try world(MessageCaps(perPrefixHour: 1000, perServerHour: 20))
        let other = try world(MessageCaps(perPrefixHour: 1000, perServerHour: 20), sharing: one, "other")
        var sent = 0
        for index in 0..<30 {
            let refusal = await refusal {
                try await (index % 2 == 0 ? one : other).engine.serving(Caller(network: "192.0.2.\(index)"))
                    .perform(
                        RequestCode(phoneNumber: PhoneNumber("+4917112\(10_000 + index)")))
            }
            if refusal == nil { sent += 1 }
        }
        #expect(sent == 16)
    }

    @Test func `PT-25: sends ten mails a day to one address, and says nothing`() async throws {
        let world = try World.vici { $0.limits = .generous }
        try await world.registered()
        for _ in 0..<20 { try await reset(world, ada) }
        #expect((10...11).contains(world.notificationSealer.messages.count))
    }

    @Test func `PT-25: counts resets and registrations of one address together`() async throws {
        let world = try World.vici {
            $0.limits = .generous
            $0.registersSafely = true
            $0.messages.perRecipientDay = 4
        }
        for _ in 0..<3 {
            _ = await refusal { try await world.registered() }
            try await reset(world, ada)
        }
        #expect(world.notificationSealer.messages.count == 4)
    }

    @Test func `PT-02: answers alike for known and unknown addresses when a cap is reached`() async throws {
        let world = try World.vici {
            $0.limits = .generous
            $0.messages.perNetworkHour = 3
        }
        try await world.registered()
        var costs: [[String]] = []
        for email in [ada, "stranger@example.com", ada, "stranger@example.com"] {
            let before = world.store.calls.count
            try await reset(world, email, from: "192.0.2.1")
            costs.append(Array(world.store.calls.dropFirst(before)))
        }
        #expect(costs[0] == costs[1])
        #expect(world.notificationSealer.messages.count == 3)
    }

    @Test func `PT-02: tells the owner of a changed password whatever caps are reached`() async throws {
        let world = try World.vici {
            $0.limits = .generous
            $0.messages = MessageCaps(perRecipientDay: 1, perNetworkHour: 1, perServerHour: 1)
        }
        let tokens = try await world.registered().tokens
        try await reset(world, ada)
        try await reset(world, ada)
        _ = try await world.engine.perform(
            ChangePassword(
                accessToken: tokens.accessToken, currentPassword: Secret(goodPassword),
                newPassword: Secret(otherPassword)))
        #expect(world.notificationSealer.messages.last?.notice == .passwordChanged)
    }

    @Test func `PT-02: writes down once a minute that a cap is reached, and counts every message`() async throws {
        let world = try world(MessageCaps(perRecipientDay: 1))
        for _ in 0..<6 { _ = await ask(world, number, from: "192.0.2.1") }
        func events() async throws -> [AuditEvent] { try await world.events().filter { $0.action == "sendMessage" } }
        #expect(try await events().map(\.outcome) == ["message_cap_recipient_day"])
        #expect(try await events().first?.identifier == number.masked)
        #expect(world.engine.ports.capHits.count(.recipientDay) == 5)
        #expect(world.engine.ports.capHits.count(.serverHour) == 0)
        world.clock.advance(by: .seconds(60))
        _ = await ask(world, number, from: "192.0.2.1")
        #expect(try await events().count == 2)
    }

    @Test func `PT-02: sends codes to listed countries, and refuses others before any look-up`() async throws {
        let world = try World.barqnet { $0.callingCodes = [CallingCode("+49"), CallingCode("+1")].compactMap(\.self) }
        #expect(await ask(world, number) == nil)
        let before = world.store.calls.count
        let refusal = await ask(world, try PhoneNumber("+4412345678"))
        #expect(refusal == .invalid(.phoneNumber, .notSupported))
        #expect(refusal?.code == "phone_number_not_supported")
        #expect(!world.store.calls.dropFirst(before).contains("accountIdentifiedBy"))
        #expect(world.notificationSealer.messages.count == 1)
    }

    @Test func `PT-02: counts no message that a test number does not get`() async throws {
        let code = try OneTimeCode("123456")
        let number = number
        let world = try World.barqnet {
            $0.limits = .generous
            $0.callingCodes = [CallingCode("+49")].compactMap(\.self)
            $0.codes.testNumbers = [number: CodePolicy.TestCode(code: code, until: .distantFuture)]
        }
        for _ in 0..<20 { #expect(await ask(world, number) == nil) }
        #expect(world.notificationSealer.messages.isEmpty)
    }

    @Test(arguments: ["49", "+", "+0", "+49a", "+123456789", "", "+ 49", "+４９"])
    func `takes nothing but a plus and digits for a calling code`(text: String) {
        #expect(CallingCode(text) == nil)
    }
}
