import Foundation
public import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Speaks HTTP with URLSession: no cookies, no cache, no stored credentials, no redirects.
///
/// On Apple's platforms it pins certificates. Over plain HTTP one with pins sends nothing.
public final class URLSessionTransport: Transport {
    let session: URLSession
    private let exchanges: Exchanges
    private let maximumBodyBytes: Int
    private let environment: [String: String]
    private let pins: PinSet

    /// - Parameter maximumBodyBytes: The longest body an answer may have, after decompression.
    public convenience init(maximumBodyBytes: Int = 1 << 20) {
        self.init(maximumBodyBytes: maximumBodyBytes, environment: ProcessInfo.processInfo.environment)
    }

    #if canImport(Security)
    /// - Parameters:
    ///   - pins: The keys that servers may have, on top of the system's judgement.
    ///   - maximumBodyBytes: The longest body an answer may have, after decompression.
    ///   - surroundings: Whose clock says when pins expire.
    public convenience init(
        pins: PinSet, maximumBodyBytes: Int = 1 << 20, surroundings: ClientSurroundings = .system
    ) {
        let check = pins.isEmpty ? nil : ServerTrustCheck(pins: pins, now: surroundings.now)
        self.init(
            maximumBodyBytes: maximumBodyBytes, environment: ProcessInfo.processInfo.environment, pins: pins,
            exchanges: Exchanges(check))
    }

    public func enforces(_ pins: PinSet) -> Bool { pins == self.pins }
    #endif

    /// - Parameter pins: What `exchanges` checks.
    init(
        maximumBodyBytes: Int, environment: [String: String], pins: PinSet = .none, exchanges: Exchanges = Exchanges()
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.urlCredentialStorage = nil
        // A delegate of the session, not of a task: on Linux only that one is asked about redirects.
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        self.exchanges = exchanges
        self.maximumBodyBytes = maximumBodyBytes
        self.environment = environment
        self.pins = pins
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
        guard pins.isEmpty || !baseURL.isPlainHTTP else { throw .pinMismatch }
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
