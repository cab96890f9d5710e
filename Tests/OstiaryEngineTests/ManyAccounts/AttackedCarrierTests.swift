import OstiaryCore
import OstiaryEngine
import OstiaryTesting
import Testing

/// People of a carrier's network from which credentials are stuffed: the small form of `make bench ONLY=attacks`.
@Suite struct AttackedCarrierTests {
    /// The figures of two hours.
    private struct Figures {
        var signIns = 0
        /// The sign-ins of people with the right password that were refused, or asked for a computation.
        var asked = 0
        var guesses = 0

        var askedPerThousand: Double { Double(asked) / Double(signIns) * 1000 }
    }

    private static let people = 100
    private static let hours = 2

    /// An attacker tries two identifiers in ten seconds. In each ten seconds one of a hundred people signs in, one in twenty on a
    /// new device, at any address of the carrier's network.
    private func figures(attackersAddresses count: Int) async throws -> Figures {
        let world = try World.vici { $0.limits = .generous }
        let randomness = SeededRandomness(seed: 5)
        func below(_ bound: Int) -> Int { Int(randomness.bytes(2).reduce(0) { $0 << 8 | UInt64($1) }) % bound }
        func engine(_ number: Int, _ device: Secret<String>? = nil) -> AuthEngine {
            world.engine.serving(Caller(network: "100.64.0.\(number)", deviceToken: device))
        }
        var devices: [Secret<String>?] = []
        for index in 0..<Self.people {
            let call = Register(email: try EmailAddress("person-\(index)@example.com"), password: Secret(goodPassword))
            devices.append(try await world.engine.serving(Caller(network: "192.0.2.1")).perform(call).deviceToken)
        }
        var figures = Figures()
        for step in 0..<Self.hours * 360 {
            for number in 0..<2 {
                let email = try EmailAddress("listed-\(step)-\(number)@example.net")
                let call = SignIn(identifier: .email(email), password: Secret(otherPassword))
                let refusal = await refusal { _ = try await engine(1 + below(count)).perform(call) }
                if refusal == .wrongCredentials { figures.guesses += 1 }
            }
            let (person, isNew) = (below(Self.people), below(20) == 0)
            let call = SignIn(
                identifier: .email(try EmailAddress("person-\(person)@example.com")), password: Secret(goodPassword))
            figures.signIns += 1
            do {
                let signedIn = try await engine(1 + below(250), isNew ? nil : devices[person]).perform(call)
                if !isNew { devices[person] = signedIn.deviceToken }
            } catch {
                figures.asked += 1
            }
            world.clock.advance(by: .seconds(10))
        }
        return figures
    }

    @Test func `MA-10: asks under five of a thousand sign-ins of people, while few addresses of a carrier attack`()
        async throws
    {
        let figures = try await figures(attackersAddresses: 4)
        #expect(figures.askedPerThousand < 5)
        // 30 at once, 30 an hour, and one at each of eight addresses in advance.
        #expect((30...30 + 30 * Self.hours + 8).contains(figures.guesses))
    }

    @Test func `MA-10: has no more guesses for an attacker with all addresses of a carrier`() async throws {
        let figures = try await figures(attackersAddresses: 250)
        #expect((30...30 + 30 * Self.hours + 8).contains(figures.guesses))
        // People on a new device are asked then, and nobody else.
        #expect((30.0...70).contains(figures.askedPerThousand))
    }
}
