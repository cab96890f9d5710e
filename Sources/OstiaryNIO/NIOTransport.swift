#if NIO
import Foundation
import NIOCore
import NIOPosix
public import OstiaryClient
public import OstiaryContracts

/// Speaks HTTP/1.1 with SwiftNIO, and pins certificates on Linux: no cookies, no cache, no redirects, no proxy.
///
/// A server must first prove who it is, by a certificate that the roots vouch for, and then have one of the pins in the
/// chain that was validated. Both happen inside the TLS handshake: a server that fails has not got a byte of a request.
/// Connections are kept and used again. Nothing is decompressed: no compressed answer is asked for.
///
/// Nothing can be pinned over plain HTTP. A transport with pins refuses it with `TransportError.pinMismatch`, on the same
/// machine too; for development over plain HTTP make the client without pins.
///
/// For Linux: elsewhere SwiftNIO does not find the system's roots.
public final class NIOTransport: Transport {
    private let pins: PinSet
    private let limits: ExchangeLimits
    private let pool: ConnectionPool

    /// - Parameters:
    ///   - roots: Who may vouch for a server.
    ///   - maximumBodyBytes: The longest body an answer may have.
    ///   - surroundings: Whose clock says when pins expire, and how long a connection has been idle. Certificates and
    ///     deadlines go by the system's.
    /// - Throws: ``OstiaryClient/ClientError/invalidRequest(_:)`` if TLS cannot be set up.
    public convenience init(
        pins: PinSet = .none, roots: TrustRoots = .system, maximumBodyBytes: Int = 1 << 20,
        surroundings: ClientSurroundings = .system
    ) throws(ClientError) {
        try self.init(
            pins: pins, roots: roots, limits: ExchangeLimits(bodyBytes: maximumBodyBytes), surroundings: surroundings)
    }

    init(pins: PinSet, roots: TrustRoots, limits: ExchangeLimits, surroundings: ClientSurroundings) throws(ClientError)
    {
        let trust = ServerTrust(roots: roots, pins: pins, now: surroundings.now)
        let connector: Connector
        do { connector = try Connector(trust: trust, limits: limits) } catch {
            throw .invalidRequest("TLS cannot be set up")
        }
        self.pins = pins
        self.limits = limits
        pool = ConnectionPool(connector: connector, limits: limits, uptime: surroundings.uptime)
    }

    deinit { pool.shut() }

    public func enforces(_ pins: PinSet) -> Bool { pins == self.pins }

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

/// What a connection and an answer may take.
struct ExchangeLimits: Sendable {
    var bodyBytes = 1 << 20
    /// Of all names and values together.
    var headerBytes = 32 << 10
    var headerCount = 128
    /// At once, to one server. More requests wait for one of them.
    var connections = 16
    /// After which an unused connection is closed.
    var idle = Duration.seconds(30)
    /// For how long an unused connection is taken to be open without asking. No server closes them as soon as this.
    var assuredlyOpen = Duration.seconds(2)
}

extension TimeAmount {
    /// A day at most.
    init(_ duration: Duration) {
        let duration = duration.atMostADay
        self = .nanoseconds(
            duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000)
    }
}
#endif
