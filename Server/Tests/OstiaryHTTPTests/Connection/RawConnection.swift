import Foundation
import NIOCore
import NIOPosix

/// A TCP connection that sends exactly the bytes that a test provides.
struct RawConnection {
    private let inbound: NIOAsyncChannelInboundStream<ByteBuffer>
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    /// Connects, runs `body`, and closes the connection.
    static func open<Result>(
        port: Int, prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in },
        _ body: (RawConnection) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try prepare(channel)
                    return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(isOutboundHalfClosureEnabled: true))
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(RawConnection(inbound: inbound, outbound: outbound))
        }
    }

    /// Sends bytes and returns all that the server sends until it closes the connection.
    static func exchange(port: Int, _ text: String, thenEnd: Bool = false) async throws -> String {
        try await exchange(port: port, Array(text.utf8), thenEnd: thenEnd)
    }

    /// - Parameter prepare: Adds the handlers between the socket and the bytes, such as TLS.
    static func exchange(
        port: Int, _ bytes: [UInt8], thenEnd: Bool = false,
        prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }
    ) async throws -> String {
        try await open(port: port, prepare: prepare) { connection in
            // A write fails if the server closes early; only the response that it sent is examined.
            try? await connection.send(bytes)
            if thenEnd { connection.end() }
            return await connection.remainder()
        }
    }

    func send(_ bytes: [UInt8]) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }
    func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Closes the sending half.
    func end() { outbound.finish() }

    /// Returns all that the server sends until it closes the connection.
    func remainder() async -> String {
        var all = ByteBuffer()
        do {
            for try await var piece in inbound { all.writeBuffer(&piece) }
        } catch {
            // A reset ends the connection as well.
        }
        return String(buffer: all)
    }
}

/// Returns the status codes of the responses in a connection's bytes, in order.
func statuses(_ text: String) -> [Int] {
    text.components(separatedBy: "HTTP/1.1 ").dropFirst().compactMap { Int($0.prefix(3)) }
}
