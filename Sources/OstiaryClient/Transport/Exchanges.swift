import Foundation
import OstiaryContracts
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if canImport(Security)
import Security
#endif

/// The exchanges in flight in one URLSession; the session's delegate.
final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
    private let byTask = Mutex<[Int: Exchange]>([:])

    #if canImport(Security)
    /// The check of the pins; nil to use the system's trust evaluation alone.
    private let trustCheck: ServerTrustCheck?

    init(_ trustCheck: ServerTrustCheck? = nil) { self.trustCheck = trustCheck }
    #endif

    func add(_ exchange: Exchange, for task: URLSessionTask) { byTask.withLock { $0[task.taskIdentifier] = exchange } }
    func remove(_ task: URLSessionTask) { byTask.withLock { _ = $0.removeValue(forKey: task.taskIdentifier) } }
    private subscript(task: URLSessionTask) -> Exchange? { byTask.withLock { $0[task.taskIdentifier] } }

    /// Refuses every redirect: Linux would send the Authorization header to another host.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        #if canImport(Security)
        case NSURLAuthenticationMethodServerTrust:
            decide(challenge, for: [task].compactMap { self[$0] }, completionHandler)
        #endif
        case NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodNTLM,
            NSURLAuthenticationMethodNegotiate:
            // No credential is offered, so the 401 that asked for one is the answer. Linux has delivered it completely
            // by now and ends the task as cancelled; with the default handling it would wait for a credential
            // indefinitely.
            self[task]?.noteChallenge()
            completionHandler(.rejectProtectionSpace, nil)
        default:
            completionHandler(.performDefaultHandling, nil)
        }
    }

    #if canImport(Security)
    /// Handles a challenge at the level of the connection, which on Apple's systems no task owns yet.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        switch challenge.protectionSpace.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust:
            // A task that ends as cancelled without a cancellation from this client is one that waited for this
            // connection.
            decide(challenge, for: byTask.withLock { Array($0.values) }, completionHandler)
        case NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate:
            completionHandler(.rejectProtectionSpace, nil)
        default: completionHandler(.performDefaultHandling, nil)
        }
    }

    private func decide(
        _ challenge: URLAuthenticationChallenge, for exchanges: [Exchange],
        _ completionHandler: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let problem = trustCheck?.problem(of: challenge.protectionSpace.serverTrust) else {
            // No credential is provided: the system's own evaluation still has to follow, including App Transport
            // Security.
            return completionHandler(.performDefaultHandling, nil)
        }
        for exchange in exchanges { exchange.refuse(problem) }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
    #endif

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let exchange = self[dataTask], let response = WireResponse(response) else {
            return completionHandler(.cancel)
        }
        exchange.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if self[dataTask]?.receive(data) != true { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        self[task]?.complete(error, last: task.response.flatMap { WireResponse($0) })
    }
}

extension WireResponse {
    /// Reads status and headers of an HTTP response; fails for any other.
    fileprivate init?(_ response: URLResponse) {
        guard let response = response as? HTTPURLResponse else { return nil }
        self.init(status: response.statusCode)
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            headers[name.lowercased()] = value
        }
    }
}
