/// The throttling of guesses at the secret of one account: see decision 75. All values are derived from the `sign_in` limit
/// per identifier; the examples are those of the default, 10 in a minute.
///
/// Sources: NIST SP 800-63B-4 §3.2.2, OWASP Authentication Cheat Sheet.
struct GuessPolicy: Hashable, Sendable {
    /// The consecutive failures of one recognized device, or of one known network, after which it counts as unrecognized: 10.
    var recognizedFailures: Int
    /// The counter of one recognized device, or of one known network. Its wait ends the guesses that are judged at the same
    /// time as the last one.
    var recognized: FailureBackoff
    /// The waits of callers who hold a session besides the guess: ten failures without one, then 6, 12, 24 … 900 s.
    var holder: FailureBackoff
    /// The waits of all other callers together: five failures without one, then 1, 2, 4 … 900 s. 17 guesses in the first hour.
    var others: FailureBackoff
    /// The limit of all other callers together that keeps them below 97 guesses in any day: 17, of which one comes back in
    /// 1094 s.
    var othersDay: RateLimit
    /// The consecutive failures of all other callers after which a device link is required: 100.
    var othersFailures: Int

    init(_ limit: RateLimit) {
        recognizedFailures = limit.attempts
        recognized = FailureBackoff(
            free: limit.attempts, firstSeconds: 10, longestSeconds: 10, memorySeconds: Self.recognizedMemorySeconds)
        holder = FailureBackoff(
            free: limit.attempts, firstSeconds: (limit.seconds + limit.attempts - 1) / limit.attempts)
        others = FailureBackoff(
            free: max(1, limit.attempts / 2), firstSeconds: 1, memorySeconds: Self.othersMemorySeconds)
        othersDay = RateLimit(attempts: max(1, limit.attempts * 17 / 10), perSeconds: 17 * 1094)
        othersFailures = limit.attempts * 10
    }

    /// The failures of a device are kept for as long as the device.
    private static let recognizedMemorySeconds = 180 * 86_400
    /// The time without a judged guess after which the failures of all other callers are forgotten.
    private static let othersMemorySeconds = 30 * 86_400
}
