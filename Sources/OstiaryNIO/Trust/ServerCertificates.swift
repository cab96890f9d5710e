#if NIO
public import Foundation
import NIOCore
import NIOPosix
import NIOSSL
public import OstiaryClient
import Synchronization
import X509

/// The certificates of a server, for whoever chooses pins.
public struct ServerCertificates: Sendable {
    public struct Certificate: Hashable, Sendable {
        /// As RFC 4514 writes names.
        public let subject: String
        public let expires: Date
        public let pin: PublicKeyPin

        init?(_ certificate: X509.Certificate) {
            guard let pin = PublicKeyPin(toBeSigned: certificate.tbsCertificateBytes) else { return nil }
            subject = certificate.subject.description
            expires = certificate.notValidAfter
            self.pin = pin
        }
    }

    /// From the server's own to the root if they were validated, else as the server presented them, which is mostly without
    /// the root.
    public let certificates: [Certificate]
    /// Why they do not prove who the server is; nil if they do.
    public let problem: String?

    /// Asks a server for its certificates, and ends the handshake there.
    ///
    /// - Parameter deadline: For everything, from the name lookup on.
    /// - Throws: `TransportError.offline` if it cannot be reached; `TransportError.untrusted` if it speaks no TLS 1.2 or
    ///   later; ``OstiaryClient/TransportError/timedOut``.
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
        let sighting = Sighting()
        do {
            let context = try NIOSSLContext(configuration: .client())
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(max(deadline - .now(), .nanoseconds(1)))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(handshake(with: origin, context, sighting))
                        try pipeline.addHandler(ProblemKeeper(sighting))
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

    /// A handshake that ends as soon as the certificates are there.
    private static func handshake(
        with origin: Origin, _ context: NIOSSLContext, _ sighting: Sighting
    ) throws -> NIOSSLClientHandler {
        let name = origin.isAddress ? nil : origin.host
        return try NIOSSLClientHandler(context: context, serverHostname: name) {
            (presented, promise: EventLoopPromise<NIOSSLVerificationResult>) in
            sighting.certificates = presented.map { try? $0.toDERBytes() }
            promise.succeed(.failed)
        }
    }

    /// What a handshake has brought to light.
    private final class Sighting: Sendable {
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

        /// The first problem is the one that counts: the others follow from it.
        func note(_ problem: any Error) { state.withLock { $0.problem = $0.problem ?? problem } }
    }

    private final class ProblemKeeper: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let sighting: Sighting

        init(_ sighting: Sighting) { self.sighting = sighting }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            sighting.note(error)
            context.close(promise: nil)
        }
    }
}
#endif
