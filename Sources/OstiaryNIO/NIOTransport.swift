#if NIO
import Foundation
import NIOCore
import NIOPosix
public import OstiaryClient
public import OstiaryContracts

/// A transport over HTTP/1.1 with SwiftNIO, which enforces pins on Linux. It has no cookies, no cache, no redirects and
/// no proxy.
///
/// A server must first prove its identity with a certificate chain to one of the roots, and then have one of the pinned
/// keys in the validated chain. Both checks run inside the TLS handshake: a server that fails receives no byte of a
/// request. Connections are kept and reused. Nothing is decompressed, because no compressed answer is requested.
///
/// Pins cannot be enforced over plain HTTP. A transport with pins refuses plain HTTP with `TransportError.pinMismatch`,
/// also to the same machine; for development over plain HTTP, create the client without pins.
///
/// For Linux: on other platforms SwiftNIO does not find the system's roots.
public final class NIOTransport: Transport {
    private let pins: PinSet
    private let limits: ExchangeLimits
    private let pool: ConnectionPool

    /// Creates a transport with its own pool of connections.
    ///
    /// - Parameters:
    ///   - pins: The keys of which a server must have one; empty to accept each server that the roots validate.
    ///   - roots: The authorities that may issue a server's certificate.
    ///   - maximumBodyBytes: The longest body an answer may have, in bytes.
    ///   - system: The clocks for the expiry of pins and the idle time of connections. Certificates and deadlines use
    ///     the clocks of the operating system.
    /// - Throws: ``OstiaryClient/ClientError/invalidRequest(_:)`` if TLS cannot be set up.
    public convenience init(
        pins: PinSet = .none, roots: TrustRoots = .system, maximumBodyBytes: Int = 1 << 20,
        system: ClientDependencies = .system
    ) throws(ClientError) {
        try self.init(
            pins: pins, roots: roots, limits: ExchangeLimits(bodyBytes: maximumBodyBytes), system: system)
    }

    init(pins: PinSet, roots: TrustRoots, limits: ExchangeLimits, system: ClientDependencies) throws(ClientError) {
        let trust = ServerTrust(roots: roots, pins: pins, now: system.now)
        let connector: Connector
        do { connector = try Connector(trust: trust, limits: limits) } catch {
            throw .invalidRequest("TLS cannot be set up")
        }
        self.pins = pins
        self.limits = limits
        pool = ConnectionPool(connector: connector, limits: limits, uptime: system.uptime)
    }

    deinit { pool.shut() }

    /// Returns `true` for exactly the pins that the transport was created with.
    public func enforces(_ pins: PinSet) -> Bool { pins == self.pins }

    /// Sends a request on an idle or a new connection and returns the answer; each HTTP status is an answer, not an
    /// error.
    ///
    /// - Parameter deadline: The time for the whole exchange, at most a day.
    /// - Throws: `TransportError`: `cancelled` and `timedOut` also before anything is sent, `pinMismatch` also for
    ///   plain HTTP with pins.
    public func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        guard !Task.isCancelled else { throw .cancelled }
        guard deadline > .zero else { throw .timedOut }
        let request = try OutgoingRequest(request, to: baseURL)
        guard pins.isEmpty || !baseURL.isPlainHTTP else { throw .pinMismatch }
        let call = Call(request, to: Origin(baseURL), until: .now() + TimeAmount(deadline))
        let timer = pool.eventLoop.scheduleTask(deadline: call.deadline) { call.abandon(.timedOut) }
        defer { timer.cancel() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                call.outcome.begin(continuation)
                pool.submit(call)
            }
        } onCancel: {
            call.abandon(.cancelled)
        }
        return try outcome.get()
    }
}

/// The limits of connections and answers.
struct ExchangeLimits: Sendable {
    var bodyBytes = 1 << 20
    /// The bytes of all header names and values together.
    var headerBytes = 32 << 10
    var headerCount = 128
    /// The connections open to one server at once. Further requests wait for one of them.
    var connections = 16
    /// The idle time after which a connection is closed.
    var idle = Duration.seconds(30)
    /// The idle time within which a connection is assumed to be open. No server closes idle connections this soon.
    var assuredlyOpen = Duration.seconds(2)
}

extension TimeAmount {
    /// Creates an amount of at most a day.
    init(_ duration: Duration) {
        let duration = duration.atMostADay
        self = .nanoseconds(
            duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000)
    }
}
#endif
