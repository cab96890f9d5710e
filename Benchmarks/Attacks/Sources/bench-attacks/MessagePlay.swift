import OstiaryCore
import OstiaryEngine

/// A play of codes by text message: an attacker requests them for numbers that pay, people request theirs.
struct MessagePlay {
    struct Result {
        var attackerRequests = 0
        var attackerMessages = 0
        var ownerRequests = 0
        var ownerMessages = 0
        var resetRequests = 0
    }

    /// The attacker's requests in a second.
    let requestsPerSecond: Int
    private static let people = 500

    func run(seed: UInt64) async throws -> Result {
        let server = try SimulatedServer(
            AppRules(identifier: .phoneNumber, refresh: RefreshRules()), seed: seed)
        var known: [(number: PhoneNumber, home: String)] = []
        for index in 0..<Self.people {
            let person = Person(
                email: try EmailAddress("person-\(index)@example.com"),
                phoneNumber: try PhoneNumber("+4915\(index % 100 + 100)\(100_000 + index)"),
                password: "the password of \(index)", home: "10.\(index / 250).\(index % 250).1", carrier: "",
                computes: true)
            try server.add(person)
            // The account knows the network after a sign-in.
            _ = try await server.engine.serving(Caller(address: person.home, network: person.home)).perform(
                SignIn(identifier: .phoneNumber(person.phoneNumber), password: Secret(person.password)))
            known.append((person.phoneNumber, person.home))
        }
        server.advance(by: 86_400)
        var result = Result()
        for second in 0..<86_400 {
            for _ in 0..<requestsPerSecond {
                let random = server.randomness
                // Ranges of ten thousand numbers in fifty prefixes, from a thousand networks.
                let number = try PhoneNumber("+2259\(10 + random.below(50))\(10_000 + random.below(10_000))")
                let network = "198.18.\(random.below(100)).\(random.below(10))"
                result.attackerRequests += 1
                if await server.requestCode(number, from: network) { result.attackerMessages += 1 }
            }
            // Each person asks for a code once in a day.
            if second % (86_400 / Self.people) == 0 {
                let person = known[second / (86_400 / Self.people) % Self.people]
                result.ownerRequests += 1
                if await server.requestCode(person.number, from: person.home) { result.ownerMessages += 1 }
            }
            server.advance(by: 1)
        }
        return result
    }
}
