package import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import OstiaryWebClient

/// Requests pages as a client does. Follows no redirect, uses no proxy, sends no credential.
package struct WebProbe: Sendable {
    private let tls: Result<NIOSSLContext, any Error>
    private let deadline: Duration
    private static let largestBody = 65_536

    /// - Parameters:
    ///   - roots: A PEM file of the only authorities to trust; nil for the system's.
    ///   - deadline: The time of a request, the name lookup included.
    package init(roots: String?, deadline: Duration) {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        if let roots { configuration.trustRoots = .file(roots) }
        tls = Result { try NIOSSLContext(configuration: configuration) }
        self.deadline = deadline
    }

    /// - Parameter now: Returns the time of this machine.
    package func get(
        _ url: String, headers: [(String, String)] = [], now: @Sendable () -> Date
    ) async -> WebObservation {
        guard let parts = URLComponents(string: url), let host = parts.host else {
            return .unreachable("The URL has no host.")
        }
        let isPlain = parts.scheme?.lowercased() == "http"
        let path = parts.percentEncodedPath.isEmpty ? "/" : parts.percentEncodedPath
        let target = parts.percentEncodedQuery.map { "\(path)?\($0)" } ?? path
        do {
            let server = SingleExchange.Server.host(
                host, port: parts.port ?? (isPlain ? 80 : 443), tls: isPlain ? nil : try tls.get())
            let exchange = SingleExchange(
                .GET, target, of: server, headers: [("User-Agent", "ostiary-doctor")] + headers)
            let start = now()
            var end = start
            var answer = WebAnswer(status: 0, headers: [], body: Data())
            try await exchange.perform(within: deadline) { part in
                switch part {
                case .head(let head):
                    end = now()
                    answer.status = Int(head.status.code)
                    answer.headers = head.headers.map {
                        (name: String(ascii: $0.name.utf8).lowercased(), value: String(ascii: $0.value.utf8))
                    }
                case .body(let bytes):
                    guard answer.body.count + bytes.readableBytes <= Self.largestBody else {
                        throw NIOTooManyBytesError(maxBytes: Self.largestBody)
                    }
                    answer.body.append(contentsOf: bytes.readableBytesView)
                case .end: break
                }
            }
            if let date = answer.values(of: "date").first {
                answer.clock = Self.reading(date, of: url, from: start, to: end)
            }
            return .answered(answer)
        } catch {
            return Self.observation(of: error)
        }
    }

    private static func observation(of error: any Error) -> WebObservation {
        switch error {
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: return .untrusted
        case let error as NIOConnectionError:
            let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
            if codes.contains(where: { $0 == ENETUNREACH || $0 == ENETDOWN }) {
                return .offline("This machine has no route to the host.")
            }
            return .unreachable("Nothing accepts connections there.")
        case SingleExchange.Problem.timedOut, ChannelError.connectTimeout:
            return .unreachable("There was no answer in time.")
        case is HTTPParserError, is NIOHTTPDecoderError: return .unreachable("The answer is no valid HTTP.")
        case is NIOTooManyBytesError: return .unreachable("The answer is far too large.")
        default: return .unreachable("The connection broke.")
        }
    }

    /// The header is cut to the second. Source: RFC 9110 §5.6.7.
    private static func reading(_ text: String, of url: String, from start: Date, to end: Date) -> ClockReading? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard text.utf8.count < 64, let date = formatter.date(from: text) else { return nil }
        let duration = end.timeIntervalSince(start)
        let middle = start.addingTimeInterval(duration / 2)
        return ClockReading(
            source: .host(URLComponents(string: url)?.host ?? url),
            offsetSeconds: date.addingTimeInterval(0.5).timeIntervalSince(middle),
            uncertaintySeconds: 0.5 + abs(duration) / 2)
    }
}
