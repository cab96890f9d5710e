/// Why a server of somebody else gave no answer that we can use. Names origins and statuses; never a token, a code or a
/// query.
package enum UpstreamProblem: Error, Hashable, Sendable {
    /// It failed several times in a row, or too many requests to it are under way: not asked at all.
    case away(origin: String)
    /// No connection, or one that broke. `reason` has fixed words only.
    case unreachable(origin: String, reason: String)
    case timedOut(origin: String)
    /// The answer is longer than we read.
    case tooLarge(origin: String)
    /// Not an https URL, or one that we do not send to.
    case addressRefused
    /// A status that its protocol has no place for.
    case status(Int, origin: String)
    /// An answer that does not keep to its protocol. `reason` has fixed words only.
    case unexpectedAnswer(origin: String, reason: String)
    /// It does not take our own credentials, or does not let us do this: somebody should look at the configuration.
    case clientRefused(origin: String)
}

extension UpstreamProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .away(let origin): "\(origin) has been failing or is busy, and is left alone for a while"
        case .unreachable(let origin, let reason): "\(origin) was not reached: \(reason)"
        case .timedOut(let origin): "\(origin) did not answer in time"
        case .tooLarge(let origin): "\(origin) answered more than we read"
        case .addressRefused: "the address is not one that we send to: it needs https (plain http is for loopback)"
        case .status(let status, let origin): "\(origin) answered HTTP \(status)"
        case .unexpectedAnswer(let origin, let reason): "\(origin) gave an answer that cannot be used: \(reason)"
        case .clientRefused(let origin): "\(origin) refuses our client: check client_id and client_secret"
        }
    }
}
