import OstiaryCore
import OstiaryEngine

/// A play of sign-ins: people and one attacker take turns, second by second.
struct SignInPlay {
    var name: String
    var people = 2000
    var days = 1.0
    /// The sign-ins of each person in a day.
    var signInsPerDay = 1.0
    /// A password that some people have.
    var commonPassword: (share: Double, text: String)?
    /// The tries of the attacker in a second.
    var triesPerSecond = 0
    var solves = false
    /// The number of tries after which the attacker's list is at its end.
    var length = Int.max
    /// `true` if the first person signs in every half hour, alternately on the usual device and on another one.
    var isFirstPersonBusy = false
    /// The attacker's next try.
    var attack: (@Sendable (Int, [Person], Randomness) -> Guess)?

    struct Guess {
        var email: EmailAddress
        var password: String
        var network: String
    }

    func run(seed: UInt64) async throws -> Figures {
        let rules = AppRules(identifier: .email, refresh: RefreshRules())
        let server = try SimulatedServer(rules, seed: seed)
        var population = try await Population(people, on: server, commonPassword: commonPassword)
        var figures = Figures()
        let probability = Double(people) * signInsPerDay / 86_400
        for second in 0..<Int(days * 86_400) {
            for _ in 0..<triesPerSecond {
                guard let attack, figures.tries < length else { break }
                let guess = attack(figures.tries, population.people, server.randomness)
                let attempt = await server.signIn(guess.email, guess.password, from: guess.network, solves: solves)
                figures.note(attempt, on: guess.email.text, solves: solves)
            }
            if server.randomness.chance(probability) {
                await population.signIn(server.randomness.below(people), into: &figures)
            }
            if isFirstPersonBusy, second % 1800 == 900 {
                await population.signIn(0, onOtherDevice: second % 3600 > 1800, into: &figures)
            }
            server.advance(by: 1)
        }
        figures.noticesPerMonth = population.noticesPerMonth(days: days + 1)
        return figures
    }
}
