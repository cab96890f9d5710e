#if NIO
import NIOCore
import NIOHTTP1
import OstiaryClient
import Synchronization

/// One request under way, and the continuation that waits for its outcome.
final class Call: Sendable {
    let origin: Origin
    let deadline: NIODeadline
    let head: HTTPRequestHead
    let body: ByteBuffer?
    let outcome = FirstOutcome()

    private struct State {
        var channel: (any Channel)?
        var isAbandoned = false
    }

    private let state = Mutex(State())

    init(_ request: OutgoingRequest, to origin: Origin, until deadline: NIODeadline) {
        self.origin = origin
        self.deadline = deadline
        var headers = HTTPHeaders()
        headers.reserveCapacity(request.headers.count + 2)
        headers.add(name: "host", value: origin.authority)
        for (name, value) in request.headers { headers.add(name: name, value: value) }
        let method = HTTPMethod(rawValue: request.method)
        if !request.body.isEmpty || [.POST, .PUT, .PATCH].contains(method) {
            headers.add(name: "content-length", value: String(request.body.count))
        }
        head = HTTPRequestHead(version: .http1_1, method: method, uri: request.target, headers: headers)
        body = request.body.isEmpty ? nil : ByteBuffer(bytes: request.body)
    }

    /// Returns `true` if the method is safe (GET, HEAD), so that a repeated request has no further effect, however the
    /// app's API defines its own methods.
    ///
    /// PUT and DELETE are idempotent but not safe: they change state. Source: RFC 9110 §9.2.1.
    var isSafe: Bool { head.method == .GET || head.method == .HEAD }

    /// Returns `true` if the caller no longer waits: it was cancelled, or its deadline passed.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Stores the channel that carries this call. ``abandon(_:)`` closes it.
    ///
    /// - Returns: `false` if the call was abandoned; there is then nothing to send.
    func attach(_ channel: any Channel) -> Bool {
        state.withLock { state in
            if !state.isAbandoned { state.channel = channel }
            return !state.isAbandoned
        }
    }

    /// Detaches the channel, so that it outlives the call.
    ///
    /// - Returns: `false` if the call was abandoned meanwhile; its channel is then being closed.
    func detach() -> Bool { state.withLock { $0.channel.take() != nil } }

    /// Ends the call with `error` before its answer arrives, and closes the channel of the exchange under way.
    func abandon(_ error: TransportError) {
        let channel = state.withLock { state in
            state.isAbandoned = true
            return state.channel.take()
        }
        outcome.end(.failure(error))
        // A connection with half an answer in it cannot carry another request.
        channel?.close(promise: nil)
    }
}

/// The host, port and scheme that a connection leads to.
struct Origin: Hashable, Sendable {
    let host: String
    let port: Int
    let isEncrypted: Bool

    init(host: String, port: Int, isEncrypted: Bool) {
        // A trailing dot, which marks a fully qualified name, would match no certificate.
        self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
        self.port = port
        self.isEncrypted = isEncrypted
    }

    init(_ baseURL: BaseURL) {
        self.init(host: baseURL.host, port: baseURL.port, isEncrypted: !baseURL.isPlainHTTP)
    }

    var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }

    /// The value of the Host header; the scheme's default port is left out. Source: RFC 9110 §7.2.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isEncrypted ? 443 : 80) ? name : "\(name):\(port)"
    }
}
#endif
