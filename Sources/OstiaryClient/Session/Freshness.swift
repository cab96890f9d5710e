/// The action to take on an access token before it is used: a pure function of the token's times.
enum Freshness: Hashable, Sendable {
    /// The token is used; enough of its life is left.
    case use
    /// The token is used and refreshed concurrently; the lead has begun.
    case useAndRefresh
    /// The token is refreshed before use; it could expire on its way to the server.
    case refresh

    /// The smallest remaining lifetime with which a token is sent. With less left, it may be refused on arrival.
    static let minimum: Duration = .seconds(10)

    /// Returns the effective lead: at most half of the token's lifetime, as otherwise a short-lived token would always
    /// be due.
    static func lead(_ lead: Duration, of lifetime: Duration) -> Duration { min(lead, max(.zero, lifetime) / 2) }

    /// Classifies a token.
    ///
    /// - Parameters:
    ///   - remaining: The time until the token expires; `nil` if its expiry is not known.
    ///   - lifetime: The time from the token's receipt to its expiry.
    ///   - lead: The contract's lead.
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
