import Foundation
public import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A transport on URLSession: no cookies, no cache, no stored credentials, no redirects.
///
/// On Apple's platforms it pins certificates. With pins it sends nothing over plain HTTP.
public final class URLSessionTransport: Transport {
    let session: URLSession
    private let exchanges: Exchanges
    private let maximumBodyBytes: Int
    private let environment: [String: String]
    private let pins: PinSet

    /// Creates a transport without pins.
    ///
    /// - Parameter maximumBodyBytes: The maximum length of an answer's body, after decompression.
    public convenience init(maximumBodyBytes: Int = 1 << 20) {
        self.init(maximumBodyBytes: maximumBodyBytes, environment: ProcessInfo.processInfo.environment)
    }

    #if canImport(Security)
    /// Creates a transport that pins the server's keys.
    ///
    /// - Parameters:
    ///   - pins: The keys that servers may have, in addition to the system's trust evaluation.
    ///   - maximumBodyBytes: The maximum length of an answer's body, after decompression.
    ///   - system: The system dependencies, of which the wall clock decides about the expiry of pins.
    public convenience init(
        pins: PinSet, maximumBodyBytes: Int = 1 << 20, system: ClientDependencies = .system
    ) {
        let check = pins.isEmpty ? nil : ServerTrustCheck(pins: pins, now: system.now)
        self.init(
            maximumBodyBytes: maximumBodyBytes, environment: ProcessInfo.processInfo.environment, pins: pins,
            exchanges: Exchanges(check))
    }

    /// Returns `true` for exactly the pins that the transport was created with.
    public func enforces(_ pins: PinSet) -> Bool { pins == self.pins }
    #endif

    /// - Parameter pins: The pins that `exchanges` checks.
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
        // A delegate of the session, not of a task: on Linux only the session's delegate receives redirects.
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
        self.exchanges = exchanges
        self.maximumBodyBytes = maximumBodyBytes
        self.environment = environment
        self.pins = pins
    }

    deinit { session.invalidateAndCancel() }

    /// Sends a request and waits for its whole answer.
    ///
    /// - Throws: ``TransportError``: among others ``TransportError/timedOut`` for a deadline that is not positive,
    ///   ``TransportError/pinMismatch`` for plain HTTP with pins, and on Linux ``TransportError/wouldBeProxied``. A
    ///   deadline longer than a day is cut to a day.
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
        // URLSession's own timeouts restart with every byte, and never end a task that waits for a credential.
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
