import AsyncHTTPClient
import NIOCore
import NIOPosix
import OstiaryCore
import OstiaryMiddleware
import Testing

/// The time limit of a verifier.
struct RemoteVerifierTests {
    /// Sends the head of a response and one of its ten bytes.
    private final class StallingServer: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let head = "HTTP/1.1 200 OK\r\ncontent-length: 10\r\nx-auth-user: 1\r\nx-auth-session: s\r\n\r\na"
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head)), promise: nil)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a response that stalls in its body is unavailable`() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(StallingServer())
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: RemoteVerifier.configuration)
        let verifier = RemoteVerifier(
            appURL: "http://127.0.0.1:\(listener.localAddress?.port ?? 0)", client: client,
            timeout: .milliseconds(200))
        await #expect(throws: AuthError.unavailable(incident: "")) { try await verifier.user(of: Secret("token")) }
        try await client.shutdown()
        try await listener.close()
    }
}
