/// A reason that an upstream server gave no usable answer. Names origins and statuses; never a token, a code or a
/// query.
package enum UpstreamProblem: Error, Hashable, Sendable {
    /// The circuit breaker is open, or too many requests to the server are in progress: the request was not sent.
    case away(origin: String)
    /// There was no connection, or it broke. `reason` is a fixed text.
    case unreachable(origin: String, reason: String)
    case timedOut(origin: String)
    /// The answer exceeds the size limit.
    case tooLarge(origin: String)
    /// The address is not an https URL, or not one that requests are sent to.
    case addressRefused
    /// The status is not defined by the protocol.
    case status(Int, origin: String)
    /// The answer violates the protocol. `reason` is a fixed text.
    case unexpectedAnswer(origin: String, reason: String)
    /// The server refuses this server's own credentials or does not permit the operation: the operator should check the
    /// configuration.
    case clientRefused(origin: String)
}

extension UpstreamProblem: CustomStringConvertible {
    package var description: String {
        switch self {
        case .away(let origin): "\(origin) has failed repeatedly or is busy: requests to it are suspended for a while"
        case .unreachable(let origin, let reason): "\(origin) was not reached: \(reason)"
        case .timedOut(let origin): "\(origin) did not answer in time"
        case .tooLarge(let origin): "\(origin) sent an answer that exceeds the size limit"
        case .addressRefused: "requests are not sent to this address: it needs https (plain http is for loopback)"
        case .status(let status, let origin): "\(origin) answered HTTP \(status)"
        case .unexpectedAnswer(let origin, let reason): "\(origin) gave an answer that cannot be used: \(reason)"
        case .clientRefused(let origin): "\(origin) refuses this server's client: check client_id and client_secret"
        }
    }
}
