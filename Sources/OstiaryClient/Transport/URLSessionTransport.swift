import Foundation
public import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks HTTP with URLSession: no cookies, no cache, no stored credentials, no redirects.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges: Exchanges
    private let maximumBodyBytes: Int
    private let environment: [String: String]

    /// - Parameter maximumBodyBytes: The longest body an answer may have, after decompression.
    public convenience init(maximumBodyBytes: Int = 1 << 20) {
        self.init(maximumBodyBytes: maximumBodyBytes, environment: ProcessInfo.processInfo.environment)
    }

    init(maximumBodyBytes: Int, environment: [String: String]) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        let exchanges = Exchanges()
        // A delegate of the session, not of a task: on Linux only that one is asked about redirects.
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        self.exchanges = exchanges
        self.maximumBodyBytes = maximumBodyBytes
        self.environment = environment
    }

    deinit { session.invalidateAndCancel() }

    public func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard deadline > .zero else { throw .timedOut }
        let deadline = deadline.atMostADay
        let request = try URLRequest(request, to: baseURL, within: deadline)
        #if canImport(FoundationNetworking)
        guard !PlainHTTPProxy.reads(baseURL, environment: environment) else { throw .wouldBeProxied }
        #endif
        let exchange = Exchange(maximumBodyBytes: maximumBodyBytes, isEncrypted: !baseURL.isPlainHTTP)
        let task = session.dataTask(with: request)
        exchanges.add(exchange, for: task)
        defer { exchanges.remove(task) }
        // URLSession's own timeouts start again with every byte, and never end a task that waits for a credential.
        let timer = Task {
            guard (try? await Task.sleep(for: deadline)) != nil else { return }
            exchange.end(.failure(.timedOut))
            task.cancel()
        }
        defer { timer.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.begin(continuation)
                task.resume()
            }
        } onCancel: {
            exchange.end(.failure(.cancelled))
            task.cancel()
        }
        return try result.get()
    }
}
