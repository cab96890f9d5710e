import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL

/// HTTP to upstream servers, with the limits that an untrusted server requires: https only (plain http to loopback
/// addresses), certificates verified, no redirect followed, no proxy, no cookies, no decompression, a deadline for the
/// whole call and a size limit of the answer.
package struct HTTPUpstreamTransport: UpstreamTransport {
    private let client: HTTPClient
    private let limits: Limits

    package struct Limits: Hashable, Sendable {
        /// The time limit from the start of the call to the last byte of the answer.
        package var deadline: Duration
        package var connect: Duration
        /// The size limit of an answer's body, in bytes.
        package var body: Int
        /// `true` if plain http is allowed to hosts other than loopback: in development only.
        package var allowsPlainHTTP: Bool

        package init(
            deadline: Duration = .seconds(4), connect: Duration = .seconds(2), body: Int = 1 << 20,
            allowsPlainHTTP: Bool = false
        ) {
            self.deadline = deadline
            self.connect = connect
            self.body = body
            self.allowsPlainHTTP = allowsPlainHTTP
        }
    }

    /// Creates a transport without opening a connection. ``shutdown()`` has to be called at the end.
    ///
    /// - Parameter authoritiesFile: A file of certificates in PEM form that are trusted instead of the system's.
    package init(authoritiesFile: String? = nil, limits: Limits = Limits()) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.certificateVerification = .fullVerification
        if let authoritiesFile { tls.trustRoots = .file(authoritiesFile) }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.redirectConfiguration = .disallow
        configuration.proxy = nil
        configuration.decompression = .disabled
        configuration.httpVersion = .http1Only
        configuration.timeout = .init(connect: limits.connect.timeAmount, read: limits.deadline.timeAmount)
        configuration.connectionPool.retryConnectionEstablishment = false
        // Shorter than the five seconds of common servers, so that no request is sent on a connection that is being
        // closed.
        configuration.connectionPool.idleTimeout = .seconds(4)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.limits = limits
    }

    /// Checks a file of certificate authorities at start, rather than at the first sign-in.
    ///
    /// - Throws: ``InvalidProviderSetting`` if the file has no certificate in PEM form.
    package static func check(authoritiesFile: String) throws(InvalidProviderSetting) {
        let certificates = try? NIOSSLCertificate.fromPEMFile(authoritiesFile)
        guard certificates?.isEmpty == false else {
            throw InvalidProviderSetting("ca_file needs certificates in PEM form")
        }
    }

    /// Closes every connection. Nothing can be sent afterwards.
    package func shutdown() async throws { try await client.shutdown() }

    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        guard let url = UpstreamURL(request.url), url.isSecure || url.isLoopback || limits.allowsPlainHTTP else {
            throw UpstreamProblem.addressRefused
        }
        return try await withDeadline(limits.deadline, orThrow: UpstreamProblem.timedOut(origin: url.origin)) {
            do {
                return try await exchange(request, with: url)
            } catch let problem as UpstreamProblem {
                throw problem
            } catch {
                try Task.checkCancellation()
                throw UpstreamProblem(error, origin: url.origin)
            }
        }
    }

    private func exchange(_ request: UpstreamRequest, with url: UpstreamURL) async throws -> UpstreamResponse {
        var message = HTTPClientRequest(url: url.text)
        message.method = HTTPMethod(rawValue: request.method.rawValue)
        for header in request.headers { message.headers.add(name: header.name, value: header.value) }
        if request.method == .post { message.body = .bytes(request.body) }
        // The client's timeout covers the head of the answer only; the enclosing deadline covers the body as well.
        let answer = try await client.execute(message, timeout: limits.deadline.timeAmount)
        var body: [UInt8] = []
        for try await part in answer.body {
            guard body.count + part.readableBytes <= limits.body else {
                throw UpstreamProblem.tooLarge(origin: url.origin)
            }
            body.append(contentsOf: part.readableBytesView)
        }
        try Task.checkCancellation()
        return UpstreamResponse(
            status: Int(answer.status.code), headers: answer.headers.map { (name: $0.name, value: $0.value) },
            body: body)
    }
}

extension UpstreamProblem {
    /// Creates the problem for an error of the HTTP client, with texts that contain nothing of the request.
    fileprivate init(_ error: any Error, origin: String) {
        switch error {
        case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
            self = .timedOut(origin: origin)
        case let error as HTTPClientError: self = .unreachable(origin: origin, reason: error.shortDescription)
        case is NIOSSLError, is NIOSSLExtraError: self = .unreachable(origin: origin, reason: "TLS failed")
        default: self = .unreachable(origin: origin, reason: "\(type(of: error))")
        }
    }
}

extension Duration {
    /// The duration in nanoseconds, at most an hour, which exceeds every limit of this server.
    fileprivate var timeAmount: TimeAmount {
        let bounded = min(max(self, .zero), .seconds(3600)).components
        return .nanoseconds(bounded.seconds * 1_000_000_000 + bounded.attoseconds / 1_000_000_000)
    }
}
