import Foundation
import OstiaryContracts
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request and the part of its answer received so far.
final class Exchange: Sendable {
    private struct State {
        var response: WireResponse?
        var wasChallenged = false
        var refusal: TransportError?
    }

    private let state = Mutex(State())
    private let outcome = FirstOutcome()
    private let maximumBodyBytes: Int
    private let isEncrypted: Bool

    init(maximumBodyBytes: Int, isEncrypted: Bool) {
        self.maximumBodyBytes = maximumBodyBytes
        self.isEncrypted = isEncrypted
    }

    func begin(_ waiter: CheckedContinuation<RequestOutcome, Never>) { outcome.begin(waiter) }
    func end(_ outcome: RequestOutcome) { self.outcome.end(outcome) }

    func receive(_ response: WireResponse) { state.withLock { $0.response = response } }

    /// Appends a part of the body.
    ///
    /// - Returns: False if the body exceeds the limit; the exchange has ended.
    func receive(_ data: Data) -> Bool {
        let fits = state.withLock { state in
            guard let count = state.response?.body.count, count + data.count <= maximumBodyBytes else { return false }
            state.response?.body.append(contentsOf: data)
            return true
        }
        if !fits { end(.failure(.tooLarge(maximumBytes: maximumBodyBytes))) }
        return fits
    }

    func noteChallenge() { state.withLock { $0.wasChallenged = true } }

    /// Records why the connection for this request is not used. URLSession reports that as a cancellation.
    func refuse(_ reason: TransportError) { state.withLock { $0.refusal = reason } }

    func complete(_ error: (any Error)?, last response: WireResponse?) {
        let (received, wasChallenged, refusal) = state.withLock { ($0.response, $0.wasChallenged, $0.refusal) }
        let isCancelled = (error as? URLError)?.code == .cancelled
        if isCancelled, received == nil, let refusal { return end(.failure(refusal)) }
        let wasRejectedByUs = wasChallenged && isCancelled
        guard let error, !wasRejectedByUs else {
            // The fallback covers a redirect without a Location: Linux reports its end, never its response.
            return end((received ?? response).map { .success($0) } ?? .failure(.connectionLost))
        }
        end(.failure(TransportError(error, isEncrypted: isEncrypted, isAnswered: received != nil)))
    }
}

extension TransportError {
    /// Maps one of URLSession's errors.
    init(_ error: any Error, isEncrypted: Bool, isAnswered: Bool) {
        guard let error = error as? URLError else {
            self = .connectionLost
            return
        }
        switch error.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        // The URL was validated before: on Linux these two codes also mean that a host has no address.
        case .badURL, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
            .internationalRoamingOff, .dataNotAllowed:
            self = .offline
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .untrusted
        case .unsupportedURL, .cannotParseResponse, .cannotDecodeContentData, .cannotDecodeRawData:
            self = .notHTTP
        // Linux has one code for all failures of TLS and for many others; only libcurl's message distinguishes them.
        case .unknown where isEncrypted && !isAnswered && error.blamesTLS: self = .untrusted
        default: self = .connectionLost
        }
    }
}

extension URLError {
    fileprivate var blamesTLS: Bool {
        let text = localizedDescription.lowercased()
        return ["ssl", "tls", "certificate"].contains { text.contains($0) }
    }
}
