import Foundation
import OstiaryContracts

/// What became of a queued request at one try.
enum QueueVerdict: Hashable, Sendable {
    case sent(WireResponse)
    /// It would be refused for ever.
    case dropped(WireResponse?, FailureCode)
    /// There was no answer.
    case unanswered(FailureCode)
    /// The server answered that it cannot do it now, and perhaps how long that lasts.
    case later(FailureCode, told: Duration?)
    /// Nothing was sent, because the owner is not there: something has to happen first.
    case ownerAway(FailureCode)
    /// The owner's session is over.
    case sessionOver

    init(_ response: WireResponse) {
        let code = FailureCode.http(response.status)
        switch response.status {
        case 200..<300: self = .sent(response)
        // A 401 here is one that a fresh token did not help: the server's mood, not the request's fault.
        case 401, 408, 425, 429: self = .later(code, told: response.retryAfter)
        case 400..<500: self = .dropped(response, code)
        // A redirect, which is not followed, says nothing about the request either.
        default: self = .later(code, told: response.retryAfter)
        }
    }

    init(_ error: ClientError, now: Date) {
        let code = FailureCode(error)
        switch error {
        case .invalidURL, .invalidRequest, .unsupported, .network(.unsendable): self = .dropped(nil, code)
        // The server has decided, and would answer the same again.
        case .network(.tooLarge): self = .dropped(nil, code)
        case .notSignedIn, .locked, .cancelledByUser: self = .ownerAway(code)
        case .sessionEnded: self = .sessionOver
        case .rateLimited(let until):
            self = .later(code, told: .milliseconds(Int64(max(0, min(until.timeIntervalSince(now), 86_400)) * 1000)))
        case .http(let status, _): self = QueueVerdict(WireResponse(status: status))
        case .temporarilyUnavailable, .unauthorized, .refused, .invalidResponse, .decoding, .browserAnswer:
            self = .later(code, told: nil)
        case .offline, .network, .certificatePinningFailed, .store, .cancelled, .queueFull: self = .unanswered(code)
        }
    }
}

extension WireResponse {
    fileprivate var retryAfter: Duration? {
        headers["retry-after"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : .seconds(min($0, 86_400)) }
    }
}
