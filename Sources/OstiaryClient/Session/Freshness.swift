/// What is to be done about an access token before it is used: a pure function of its times.
enum Freshness: Hashable, Sendable {
    /// Enough is left.
    case use
    /// The lead has begun: it is used now, and replaced meanwhile.
    case useAndRefresh
    /// It could run out on its way to the server.
    case refresh

    /// A token with less left than this may be refused when it arrives.
    static let minimum: Duration = .seconds(10)

    /// What counts of a lead: never more than half of the token's life, or a short-lived one were always due.
    static func lead(_ lead: Duration, of lifetime: Duration) -> Duration { min(lead, max(.zero, lifetime) / 2) }

    /// - Parameters:
    ///   - remaining: Nil where nobody knows when the token ends.
    ///   - lifetime: From its receipt to its end.
    ///   - lead: The contract's.
    init(remaining: Duration?, lifetime: Duration, lead: Duration) {
        guard let remaining else {
            self = .use
            return
        }
        if remaining <= Self.lead(Self.minimum, of: lifetime) {
            self = .refresh
        } else if remaining <= Self.lead(lead, of: lifetime) {
            self = .useAndRefresh
        } else {
            self = .use
        }
    }
}
