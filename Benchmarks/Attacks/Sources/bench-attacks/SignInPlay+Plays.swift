import OstiaryCore

extension SignInPlay {
    /// One entry of a stuffing attacker's list in so many has an account here. No other could be opened.
    private static let entriesPerAccount = 50
    /// The share of these whose password is right.
    private static let hitShare = 0.1

    static let all: [SignInPlay] = [
        SignInPlay(name: "A month without an attack", days: 30),
        stuffing("Stuffing from one /24, by a script that cannot compute", solves: false) { _, randomness in
            "203.0.113.\(1 + randomness.below(250))"
        },
        stuffing("Stuffing from one /24, computing", solves: true) { _, randomness in
            "203.0.113.\(1 + randomness.below(250))"
        },
        stuffing("Stuffing from the /24 of a carrier", solves: false) { _, randomness in
            "100.64.0.\(1 + randomness.below(250))"
        },
        stuffing("Stuffing from four addresses of a carrier", solves: false) { _, randomness in
            "100.64.0.\(1 + randomness.below(4))"
        },
        stuffing("Stuffing from 500 networks", solves: false) { _, randomness in
            "198.\(18 + randomness.below(2)).\(randomness.below(250)).\(1 + randomness.below(250))"
        },
        spraying, oneAccount,
    ]

    private static func stuffing(
        _ name: String, solves: Bool, from network: @escaping @Sendable (Int, Randomness) -> String
    ) -> SignInPlay {
        SignInPlay(name: name, triesPerSecond: 2, solves: solves) { number, people, randomness in
            let person = number % entriesPerAccount == 0 ? people[number / entriesPerAccount % people.count] : nil
            let isHit = randomness.chance(hitShare)
            let email = try? EmailAddress("listed-\(number)@example.net")
            return Guess(
                email: person?.email ?? email ?? people[0].email,
                password: isHit ? person?.password ?? "x" : "listed password \(number)",
                network: network(number, randomness))
        }
    }

    /// One password against all accounts, each from a network of its own. One person in fifty has it.
    private static let spraying = SignInPlay(
        name: "Spraying one password over 2,000 accounts", commonPassword: (0.02, "Winter2026!"), triesPerSecond: 1,
        length: 2000
    ) { number, people, _ in
        Guess(
            email: people[number % people.count].email, password: "Winter2026!",
            network: "198.\(18 + number / 250).\(number % 250).1")
    }

    private static let oneAccount = SignInPlay(
        name: "10,000 addresses on one account", triesPerSecond: 1, isFirstPersonBusy: true
    ) { number, people, _ in
        Guess(
            email: people[0].email, password: "guess \(number)",
            network: "198.18.\(number % 10_000 / 100).\(number % 100)")
    }
}
