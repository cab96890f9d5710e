#if NIO
import NIOCore
import NIOHTTP1
import OstiaryClient
import Synchronization

/// One request on its way, and who waits for its answer.
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

    /// Whether sending it twice does no more than sending it once, whatever the app's API does with its own methods.
    ///
    /// PUT and DELETE are idempotent too, and change something. Source: RFC 9110 §9.2.1.
    var isSafe: Bool { head.method == .GET || head.method == .HEAD }

    /// Whether its waiter has gone.
    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Notes which channel works for it, to be closed with it.
    ///
    /// - Returns: False if nobody waits any more: nothing is to be done.
    func attach(_ channel: any Channel) -> Bool {
        state.withLock { state in
            if !state.isAbandoned { state.channel = channel }
            return !state.isAbandoned
        }
    }

    /// - Returns: False if it was abandoned meanwhile, and the channel is being closed.
    func detach() -> Bool { state.withLock { $0.channel.take() != nil } }

    /// Ends it before its answer, and the exchange that is under way.
    func abandon(_ error: TransportError) {
        let channel = state.withLock { state in
            state.isAbandoned = true
            return state.channel.take()
        }
        outcome.end(.failure(error))
        // A connection with half an answer in it can serve nobody else.
        channel?.close(promise: nil)
    }
}

/// Where connections lead.
struct Origin: Hashable, Sendable {
    let host: String
    let port: Int
    let isEncrypted: Bool

    init(host: String, port: Int, isEncrypted: Bool) {
        // With the dot that ends a full name no certificate would match.
        self.host = host.hasSuffix(".") ? String(host.dropLast()) : host
        self.port = port
        self.isEncrypted = isEncrypted
    }

    init(_ baseURL: BaseURL) {
        self.init(host: baseURL.host, port: baseURL.port, isEncrypted: !baseURL.isPlainHTTP)
    }

    var isAddress: Bool { (try? SocketAddress(ipAddress: host, port: port)) != nil }

    /// As the Host header says it.
    var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (isEncrypted ? 443 : 80) ? name : "\(name):\(port)"
    }
}
#endif
