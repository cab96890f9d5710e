import OstiaryCore
import OstiaryEngine

/// The people of a play. Their sign-ins are those of a usual day: most from a known device, some with a typing error, a few on
/// a new device in a network that the account does not know.
struct Population {
    /// The share of sign-ins on a device without a token.
    static let newDevices = 0.05
    /// The share of sign-ins in a network that the account does not know, which has many users.
    static let newNetworks = 0.10
    /// The share of sign-ins of which the first password is mistyped.
    static let typingErrors = 0.08
    /// The share of people whose client does not know of computations: an app that does not use the SDK.
    static let notComputing = 0.2
    /// The number of /24 networks of mobile carriers.
    static let carriers = 4

    private(set) var people: [Person]
    private let server: SimulatedServer

    init(_ count: Int, on server: SimulatedServer, commonPassword: (share: Double, text: String)? = nil) async throws {
        self.server = server
        people = []
        for index in 0..<count {
            let isCommon = commonPassword.map { server.randomness.chance($0.share) } ?? false
            let person = Person(
                email: try EmailAddress("person-\(index)@example.com"),
                phoneNumber: try PhoneNumber("+4915\(100_000_000 + index)"),
                password: isCommon ? commonPassword?.text ?? "" : "the password of \(index)",
                home: "10.\(index / 250).\(index % 250).1", carrier: Self.carrierAddress(server.randomness),
                computes: !server.randomness.chance(Self.notComputing))
            try server.add(person)
            people.append(person)
        }
        // The usual device has signed in before.
        for index in people.indices {
            let attempt = await server.signIn(people[index].email, people[index].password, from: people[index].home)
            people[index].device = attempt.signedIn?.deviceToken
            people[index].used = [people[index].home]
        }
        server.advance(by: 86_400)
    }

    static func carrierAddress(_ randomness: Randomness) -> String {
        "100.64.\(randomness.below(carriers)).\(1 + randomness.below(250))"
    }

    /// Lets one person sign in, and repeats a mistyped password once.
    mutating func signIn(_ index: Int, into figures: inout Figures) async {
        let (person, randomness) = (people[index], server.randomness)
        let isNewDevice = randomness.chance(Self.newDevices)
        let isNewNetwork = isNewDevice || randomness.chance(Self.newNetworks)
        let network =
            isNewNetwork
            ? Self.carrierAddress(randomness) : randomness.chance(0.5) ? person.home : person.carrier
        let device = isNewDevice ? nil : person.device
        if randomness.chance(Self.typingErrors) {
            _ = await server.signIn(
                person.email, person.password + "x", from: network, device: device, solves: person.computes)
        }
        let token = await signIn(index, on: device, from: network, into: &figures)
        if !isNewDevice, let token { people[index].device = token }
    }

    /// Lets one person sign in on the usual device at home, or on another one in a network that changes. If the other device is
    /// refused, the person opens a device link on it, and tries again the next time.
    mutating func signIn(_ index: Int, onOtherDevice isOther: Bool, into figures: inout Figures) async {
        let person = people[index]
        let network = isOther ? "192.0.2.\(1 + server.randomness.below(250))" : person.home
        let device = isOther ? person.otherDevice : person.device
        let token = await signIn(index, on: device, from: network, into: &figures)
        guard isOther else {
            if let token { people[index].device = token }
            return
        }
        people[index].used.remove(network)
        if let token {
            people[index].otherDevice = token
        } else {
            people[index].otherDevice = await server.deviceToken(of: person.email, from: network)
        }
    }

    /// - Returns: The token that the device presents from now on.
    private mutating func signIn(
        _ index: Int, on device: Secret<String>?, from network: String, into figures: inout Figures
    ) async -> Secret<String>? {
        let person = people[index]
        let attempt = await server.signIn(
            person.email, person.password, from: network, device: device, solves: person.computes)
        figures.note(attempt, of: index, isRecognized: device != nil || person.used.contains(network))
        guard let signedIn = attempt.signedIn else { return nil }
        people[index].used.insert(network)
        return signedIn.deviceToken
    }

    /// The mean number of notices that a person got since the start, for a month of 30 days.
    func noticesPerMonth(days: Double) -> Double {
        let sum = people.reduce(0) { $0 + server.messages.noticeCount(of: .email($1.email)) }
        return Double(sum) / Double(people.count) / days * 30
    }
}
