import Foundation

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

    /// - Parameters:
    ///   - remaining: Nil where nobody knows when the token ends.
    ///   - lifetime: From its receipt to its end.
    ///   - lead: The contract's. Never more than half of the lifetime counts, nor of the minimum.
    init(remaining: Duration?, lifetime: Duration, lead: Duration) {
        guard let remaining else {
            self = .use
            return
        }
        let half = max(.zero, lifetime) / 2
        if remaining <= min(Self.minimum, half) {
            self = .refresh
        } else if remaining <= min(lead, half) {
            self = .useAndRefresh
        } else {
            self = .use
        }
    }
}
