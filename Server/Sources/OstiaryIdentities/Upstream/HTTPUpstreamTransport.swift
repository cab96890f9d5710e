import OstiaryClient
import OstiaryWebClient

/// HTTP to upstream servers, with the limits that an untrusted server requires: https only (plain http to loopback
/// addresses), certificates verified, no redirect followed, no proxy, no cookies, no decompression, a deadline for the
/// whole call and a size limit of the answer.
package struct HTTPUpstreamTransport: UpstreamTransport {
    /// Nil if the certificate authorities cannot be read.
    private let client: WebClient?
    private let limits: Limits

    package struct Limits: Hashable, Sendable {
        /// The time limit from the start of the call to the last byte of the answer.
        package var deadline: Duration
        /// The size limit of an answer's body, in bytes.
        package var body: Int
        /// `true` if plain http is allowed to hosts other than loopback: in development only.
        package var allowsPlainHTTP: Bool

        package init(
            deadline: Duration = .seconds(4), body: Int = 1 << 20, allowsPlainHTTP: Bool = false
        ) {
            self.deadline = deadline
            self.body = body
            self.allowsPlainHTTP = allowsPlainHTTP
        }
    }

    /// Creates a transport without opening a connection.
    ///
    /// - Parameter authoritiesFile: A file of certificates in PEM form that are trusted instead of the system's.
    package init(authoritiesFile: String? = nil, limits: Limits = Limits()) {
        client = try? WebClient(authoritiesFile: authoritiesFile, maximumBodyBytes: limits.body)
        self.limits = limits
    }

    /// Checks a file of certificate authorities at start, rather than at the first sign-in.
    ///
    /// - Throws: ``InvalidProviderSetting`` if the file has no certificate in PEM form.
    package static func check(authoritiesFile: String) throws(InvalidProviderSetting) {
        do { _ = try WebClient(authoritiesFile: authoritiesFile, maximumBodyBytes: 0) } catch {
            throw InvalidProviderSetting("ca_file needs certificates in PEM form")
        }
    }

    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse {
        guard let url = UpstreamURL(request.url), url.isSecure || url.isLoopback || limits.allowsPlainHTTP else {
            throw UpstreamProblem.addressRefused
        }
        guard let client else {
            throw UpstreamProblem.unreachable(
                origin: url.origin, reason: "the certificate authorities to trust cannot be read")
        }
        do {
            let answer = try await client.send(
                request.method.rawValue, url.text,
                headers: Dictionary(
                    request.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }),
                body: request.body, within: limits.deadline)
            return UpstreamResponse(
                status: answer.status, headers: answer.headers.map { (name: $0.key, value: $0.value) },
                body: answer.body)
        } catch .cancelled {
            throw CancellationError()
        } catch {
            throw UpstreamProblem(error, origin: url.origin)
        }
    }
}

extension UpstreamProblem {
    /// Creates the problem for an error of the HTTP client, with texts that contain nothing of the request.
    fileprivate init(_ error: TransportError, origin: String) {
        switch error {
        case .timedOut: self = .timedOut(origin: origin)
        case .tooLarge: self = .tooLarge(origin: origin)
        case .unsendable: self = .addressRefused
        case .untrusted: self = .unreachable(origin: origin, reason: "TLS failed")
        case .offline: self = .unreachable(origin: origin, reason: "no connection was opened")
        case .connectionLost: self = .unreachable(origin: origin, reason: "the connection broke")
        case .notHTTP: self = .unreachable(origin: origin, reason: "the answer is not HTTP")
        case .pinMismatch, .wouldBeProxied, .cancelled: self = .unreachable(origin: origin, reason: error.description)
        }
    }
}
