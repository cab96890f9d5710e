/// The throttling of guesses at the secret of one account. All values are derived from the `sign_in` limit per
/// identifier, so the account's waits begin where the limit is used up.
///
/// With 10 in a minute: from one network ten failures without a wait, then 6, 12, 24 … 900 s; from all networks that
/// did not sign in to the account before together twenty, then the same waits, and at most 100 judged guesses an hour.
struct GuessPolicy: Hashable, Sendable {
    var perNetwork: FailureBackoff
    /// The waits for all networks that are not known, together.
    var perAccount: FailureBackoff
    /// The limit for all networks that are not known, together. Full and refilled within an hour it allows ten times
    /// the `sign_in` limit.
    var perAccountHour: RateLimit

    init(_ limit: RateLimit) {
        let firstSeconds = (limit.seconds + limit.attempts - 1) / limit.attempts
        perNetwork = FailureBackoff(free: limit.attempts, firstSeconds: firstSeconds)
        perAccount = FailureBackoff(free: limit.attempts * 2, firstSeconds: firstSeconds)
        perAccountHour = RateLimit(attempts: limit.attempts * 5, perSeconds: 3600)
    }
}
