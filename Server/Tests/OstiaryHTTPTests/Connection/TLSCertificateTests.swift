import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import OstiaryHTTP
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TLSCertificateTests {
    /// The certificate of new connections.
    private final class Current: Sendable {
        private let certificate: Mutex<TLSCertificate>

        init(_ certificate: TLSCertificate) { self.certificate = Mutex(certificate) }

        var settings: ConnectionSettings { ConnectionSettings(certificate: certificate.withLock { $0 }) }
        func replace(by certificate: TLSCertificate) { self.certificate.withLock { $0 = certificate } }
    }

    /// Runs `body` with a directory that holds the two files and is removed afterwards.
    private func withFiles<Result>(
        _ body: (_ certificate: String, _ key: String) async throws -> Result
    ) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let certificate = directory.appending(path: "tls.crt").path
        let key = directory.appending(path: "tls.key").path
        try write(TestCertificate.one, certificate, key)
        return try await body(certificate, key)
    }

    private func write(_ pair: TestCertificate, _ certificate: String, _ key: String) throws {
        try Data(pair.certificate.utf8).write(to: URL(filePath: certificate))
        try Data(pair.key.utf8).write(to: URL(filePath: key))
    }

    /// Requests `/healthz` and returns the response and the certificate that the server presented.
    private func ask(
        port: Int, version: TLSVersion? = nil, protocols: [String] = ["h2", "http/1.1"]
    ) async throws -> (answer: String, certificate: NIOSSLCertificate?) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.applicationProtocols = protocols
        if let version {
            configuration.minimumTLSVersion = version
            configuration.maximumTLSVersion = version
        }
        let context = try NIOSSLContext(configuration: configuration)
        let (shown, showing) = AsyncStream.makeStream(of: NIOSSLCertificate.self)
        let answer = try await RawConnection.exchange(
            port: port, Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        ) { channel in
            let handler = try NIOSSLClientHandler(context: context, serverHostname: "localhost") { chain, promise in
                if let leaf = chain.first { showing.yield(leaf) }
                promise.succeed(.certificateVerified)
            }
            try channel.pipeline.syncOperations.addHandler(handler)
        }
        showing.finish()
        var iterator = shown.makeAsyncIterator()
        return (answer, await iterator.next())
    }

    private func certificate(_ pair: TestCertificate) throws -> NIOSSLCertificate {
        try NIOSSLCertificate(bytes: Array(pair.certificate.utf8), format: .pem)
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
    func `serves HTTP over TLS`(version: TLSVersion) async throws {
        try await withFiles { certificateFile, keyFile in
            let tls = try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile)
            try await TestServer.run(certificate: tls) { server in
                let (answer, shown) = try await ask(port: server.port, version: version)
                #expect(statuses(answer) == [200])
                #expect(shown == (try certificate(.one)))
            }
        }
    }

    @Test func `speaks no TLS before 1.2`() async throws {
        try await withFiles { certificateFile, keyFile in
            let tls = try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile)
            try await TestServer.run(certificate: tls) { server in
                let (answer, _) = try await ask(port: server.port, version: .tlsv11)
                #expect(answer == "")
                #expect(server.metrics.counts.failed == 1)
            }
        }
    }

    @Test func `closes on plain HTTP where TLS is spoken`() async throws {
        try await withFiles { certificateFile, keyFile in
            let tls = try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile)
            try await TestServer.run(certificate: tls) { server in
                let answer = try await RawConnection.exchange(
                    port: server.port, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(statuses(answer) == [])
                #expect(server.record.seen == [])
            }
        }
    }

    @Test func `closes on a client that never finishes the handshake`() async throws {
        var limits = ConnectionLimits()
        limits.headerDeadline = .milliseconds(200)
        try await withFiles { certificateFile, keyFile in
            let tls = try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile)
            try await TestServer.run(limits: limits, certificate: tls) { server in
                let answer = try await RawConnection.exchange(port: server.port, [0x16, 0x03, 0x01])
                #expect(answer == "")
            }
        }
    }

    @Test func `shows new connections the certificate that was read last`() async throws {
        try await withFiles { certificateFile, keyFile in
            let current = Current(try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile))
            try await TestServer.run(settings: { current.settings }) { server in
                #expect(try await ask(port: server.port).certificate == (try certificate(.one)))
                try write(.two, certificateFile, keyFile)
                #expect(try await ask(port: server.port).certificate == (try certificate(.one)))
                let read = try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile)
                current.replace(by: read)
                let (answer, shown) = try await ask(port: server.port)
                #expect(statuses(answer) == [200])
                #expect(shown == (try certificate(.two)))
            }
        }
    }

    @Test func `goes on with connections that began with the former certificate`() async throws {
        try await withFiles { certificateFile, keyFile in
            let current = Current(try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile))
            try await TestServer.run(settings: { current.settings }) { server in
                let (shown, showing) = AsyncStream.makeStream(of: NIOSSLCertificate.self)
                let context = try NIOSSLContext(configuration: .makeClientConfiguration())
                let answer = try await RawConnection.open(port: server.port) { channel in
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: context, serverHostname: "localhost") { chain, promise in
                            if let leaf = chain.first { showing.yield(leaf) }
                            promise.succeed(.certificateVerified)
                        })
                } _: { connection in
                    var iterator = shown.makeAsyncIterator()
                    #expect(await iterator.next() == (try certificate(.one)))
                    try write(.two, certificateFile, keyFile)
                    let read = try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile)
                    current.replace(by: read)
                    try await connection.send("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    return await connection.remainder()
                }
                #expect(statuses(answer) == [200])
            }
        }
    }

    @Test func `refuses a certificate that does not fit its key`() async throws {
        try await withFiles { certificateFile, keyFile in
            try Data(TestCertificate.two.certificate.utf8).write(to: URL(filePath: certificateFile))
            #expect(throws: TLSCertificate.Problem.keyDoesNotMatch(certificateFile: certificateFile, keyFile: keyFile))
            {
                try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile)
            }
        }
    }

    @Test func `names the file that cannot be read`() async throws {
        try await withFiles { certificateFile, keyFile in
            #expect(throws: TLSCertificate.Problem.unreadableCertificate(file: keyFile)) {
                try TLSCertificate(certificateFile: keyFile, keyFile: keyFile)
            }
            #expect(throws: TLSCertificate.Problem.unreadableKey(file: certificateFile)) {
                try TLSCertificate(certificateFile: certificateFile, keyFile: certificateFile)
            }
            #expect(throws: TLSCertificate.Problem.unreadableCertificate(file: "/nowhere")) {
                try TLSCertificate(certificateFile: "/nowhere", keyFile: keyFile)
            }
        }
    }

    @Test func `says when the certificate expires`() async throws {
        try await withFiles { certificateFile, keyFile in
            let tls = try TLSCertificate(certificateFile: certificateFile, keyFile: keyFile)
            // 2120-01-01T00:00:00Z
            #expect(tls.notValidAfter == 4_733_510_400)
        }
    }
}
