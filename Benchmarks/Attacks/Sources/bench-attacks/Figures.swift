/// The figures of one play.
struct Figures {
    /// The sign-ins of people with the right password.
    var signIns = 0
    /// Those of them that were asked for a computation.
    var challenged = 0
    /// Those of them that were refused.
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
        if attempt.isChallenged { challenged += 1 }
        guard attempt.signedIn == nil else { return }
        refused += 1
        if isRecognized { delayed.insert(person) } else { delayedOnNewDevice.insert(person) }
    }

    mutating func note(_ attempt: Attempt, on email: String, solves: Bool) {
        tries += 1
        if attempt.isJudged { guesses += 1 }
        if attempt.isChallenged, solves { computations += 1 }
        if attempt.signedIn != nil { opened.insert(email) }
    }

    var falseChallenges: Double { signIns == 0 ? 0 : Double(challenged + refused) / Double(signIns) * 1000 }
}
