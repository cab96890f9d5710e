import Foundation
import OstiaryContracts

/// The outcome of one attempt to send a queued request.
enum QueueVerdict: Hashable, Sendable {
    case sent(WireResponse)
    /// The request would be rejected every time.
    case dropped(WireResponse?, FailureCode)
    /// There was no answer.
    case unanswered(FailureCode)
    /// The server answered that it cannot execute the request now, and perhaps for how long.
    case later(FailureCode, retryAfter: Duration?)
    /// Nothing was sent, because the owner is not the current user or is locked: the queue waits for an event.
    case ownerAway(FailureCode)
    /// The owner's session has ended.
    case sessionOver

    init(_ response: WireResponse) {
        let code = FailureCode.http(response.status)
        switch response.status {
        case 200..<300: self = .sent(response)
        // A 401 here persisted with a fresh token: its cause is the server, not the request.
        case 401, 408, 425, 429: self = .later(code, retryAfter: response.retryAfter)
        case 400..<500: self = .dropped(response, code)
        // A redirect, which is not followed, does not disqualify the request either.
        default: self = .later(code, retryAfter: response.retryAfter)
        }
    }

    init(_ error: ClientError, now: Date) {
        let code = FailureCode(error)
        switch error {
        case .invalidURL, .invalidRequest, .unsupported, .network(.unsendable), .passkeyExists:
            self = .dropped(nil, code)
        // The server has answered, and would give the same answer again.
        case .network(.tooLarge): self = .dropped(nil, code)
        case .notSignedIn, .locked, .cancelledByUser: self = .ownerAway(code)
        case .sessionEnded: self = .sessionOver
        case .rateLimited(let until):
            self = .later(
                code, retryAfter: .milliseconds(Int64(max(0, min(until.timeIntervalSince(now), 86_400)) * 1000)))
        case .http(let status, _): self = QueueVerdict(WireResponse(status: status))
        case .temporarilyUnavailable, .unauthorized, .refused, .invalidResponse, .decoding, .browserAnswer:
            self = .later(code, retryAfter: nil)
        case .offline, .network, .certificatePinningFailed, .store, .cancelled, .queueFull: self = .unanswered(code)
        }
    }
}

extension WireResponse {
    fileprivate var retryAfter: Duration? {
        headers["retry-after"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : .seconds(min($0, 86_400)) }
    }
}
