#if NIO
public import Foundation
import NIOCore
import NIOPosix
import NIOSSL
public import OstiaryClient
import Synchronization
import X509

/// The certificates of a server, for a developer who chooses pins.
public struct ServerCertificates: Sendable {
    /// One certificate of a server's chain.
    public struct Certificate: Hashable, Sendable {
        /// The subject's name, as RFC 4514 writes names.
        public let subject: String
        /// The date after which the certificate is no longer valid (`notAfter`).
        public let expires: Date
        /// The pin of the certificate's public key.
        public let pin: PublicKeyPin

        init?(_ certificate: X509.Certificate) {
            guard let pin = PublicKeyPin(toBeSigned: certificate.tbsCertificateBytes) else { return nil }
            subject = certificate.subject.description
            expires = certificate.notValidAfter
            self.pin = pin
        }
    }

    /// The chain from the server's own certificate to the root if it was validated; otherwise the certificates in the
    /// order in which the server presented them, usually without the root.
    public let certificates: [Certificate]
    /// The reason why the certificates do not prove the server's identity; `nil` if they do.
    public let problem: String?

    /// Reads a server's certificates, and ends the handshake there.
    ///
    /// - Parameters:
    ///   - server: The server's address.
    ///   - roots: The authorities that the chain is validated against.
    ///   - deadline: The time for everything, from the name lookup on.
    /// - Throws: `TransportError.offline` if the server cannot be reached; `TransportError.untrusted` if it does not
    ///   speak TLS 1.2 or later, or presents no readable certificates; ``OstiaryClient/TransportError/timedOut``.
    public static func shown(
        by server: BaseURL, roots: TrustRoots = .system, within deadline: Duration
    ) async throws(TransportError) -> ServerCertificates {
        guard deadline > .zero else { throw .timedOut }
        let origin = Origin(server)
        let presented = try await ask(origin, until: .now() + TimeAmount(deadline))
        guard let read = ServerTrust.read(presented) else { throw .untrusted }
        let trust = ServerTrust(roots: roots, pins: .none, now: { Date() })
        switch await trust.validate(read, of: origin) {
        case .validCertificate(let chain):
            return ServerCertificates(certificates: chain.compactMap(Certificate.init), problem: nil)
        case .couldNotValidate(let failures):
            let reason = failures.first.map { "\($0.policyFailureReason)" }
            return ServerCertificates(
                certificates: read.compactMap(Certificate.init),
                problem: reason ?? "no root that is trusted here vouches for them")
        }
    }

    private static func ask(_ origin: Origin, until deadline: NIODeadline) async throws(TransportError) -> [[UInt8]?] {
        let sighting = HandshakeRecord()
        do {
            let context = try NIOSSLContext(configuration: .client())
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(max(deadline - .now(), .nanoseconds(1)))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(handshake(with: origin, context, sighting))
                        try pipeline.addHandler(HandshakeErrorRecorder(sighting))
                    }
                }
                .connect(host: origin.host, port: origin.port).get()
            let timer: Scheduled<Void> = channel.eventLoop.scheduleTask(deadline: deadline) {
                sighting.note(TransportError.timedOut)
                channel.close(promise: nil)
            }
            defer { timer.cancel() }
            try await channel.closeFuture.get()
        } catch {
            throw TransportError(opening: error)
        }
        if let certificates = sighting.certificates { return certificates }
        throw TransportError(opening: sighting.problem ?? TransportError.offline)
    }

    /// Creates a TLS handler that ends the handshake as soon as the certificates have arrived.
    private static func handshake(
        with origin: Origin, _ context: NIOSSLContext, _ sighting: HandshakeRecord
    ) throws -> NIOSSLClientHandler {
        let name = origin.isAddress ? nil : origin.host
        return try NIOSSLClientHandler(context: context, serverHostname: name) {
            (presented, promise: EventLoopPromise<NIOSSLVerificationResult>) in
            sighting.certificates = presented.map { try? $0.toDERBytes() }
            promise.succeed(.failed)
        }
    }

    /// The certificates or the error of one handshake.
    private final class HandshakeRecord: Sendable {
        private struct State {
            var certificates: [[UInt8]?]?
            var problem: (any Error)?
        }

        private let state = Mutex(State())

        var certificates: [[UInt8]?]? {
            get { state.withLock { $0.certificates } }
            set { state.withLock { $0.certificates = newValue } }
        }

        var problem: (any Error)? { state.withLock { $0.problem } }

        /// Keeps the first problem: later ones follow from it.
        func note(_ problem: any Error) { state.withLock { $0.problem = $0.problem ?? problem } }
    }

    private final class HandshakeErrorRecorder: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let sighting: HandshakeRecord

        init(_ sighting: HandshakeRecord) { self.sighting = sighting }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            sighting.note(error)
            context.close(promise: nil)
        }
    }
}
#endif
