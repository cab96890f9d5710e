/// The figures of one play.
struct Figures {
    /// The sign-ins of people with the right password.
    var signIns = 0
    /// Those of them that the client computed for, without asking the person.
    var computed = 0
    /// Those of them that were refused: what the person has to wait for, or to open a link for.
    var refused = 0
    /// The people who were refused with the right password at least once, on a device or in a network that the account knows.
    var delayed: Set<Int> = []
    /// Those who were refused on a new device in a new network.
    var delayedOnNewDevice: Set<Int> = []
    /// The attacker's tries, and those whose password was compared or seemed to be.
    var tries = 0
    var guesses = 0
    /// The computations that the attacker did.
    var computations = 0
    /// The accounts that the attacker signed in to.
    var opened: Set<String> = []
    var noticesPerMonth = 0.0

    mutating func note(_ attempt: Attempt, of person: Int, isRecognized: Bool) {
        signIns += 1
        guard attempt.signedIn == nil else {
            if attempt.isChallenged { computed += 1 }
            return
        }
        refused += 1
        if isRecognized { delayed.insert(person) } else { delayedOnNewDevice.insert(person) }
    }

    mutating func note(_ attempt: Attempt, on email: String, solves: Bool) {
        tries += 1
        if attempt.isJudged { guesses += 1 }
        if attempt.isChallenged, solves { computations += 1 }
        if attempt.signedIn != nil { opened.insert(email) }
    }

    var falseChallenges: Double { perThousand(refused) }
    var computedByPeople: Double { perThousand(computed) }

    private func perThousand(_ count: Int) -> Double { signIns == 0 ? 0 : Double(count) / Double(signIns) * 1000 }
}
