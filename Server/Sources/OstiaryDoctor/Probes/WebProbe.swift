import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL

/// Requests pages as a client does. Follows no redirect, uses no proxy, sends no credential.
package struct WebProbe: Sendable {
    private let http: HTTPClient
    private let deadline: Duration
    private static let largestBody = 65_536

    /// - Parameters:
    ///   - roots: A PEM file of the only authorities to trust; nil for the system's.
    ///   - deadline: The time of a request, the name lookup included.
    package init(roots: String?, deadline: Duration) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let roots { tls.trustRoots = .file(roots) }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.redirectConfiguration = .disallow
        configuration.proxy = nil
        configuration.decompression = .disabled
        configuration.httpVersion = .http1Only
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = TimeAmount(deadline)
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.deadline = deadline
    }

    package func close() async { try? await http.shutdown() }

    /// - Parameter now: Returns the time of this machine.
    package func get(
        _ url: String, headers: [(String, String)] = [], now: @Sendable () -> Date
    ) async -> WebObservation {
        do {
            var request = HTTPClientRequest(url: url)
            request.headers = HTTPHeaders([("Connection", "close"), ("User-Agent", "ostiary-doctor")] + headers)
            let start = now()
            let response = try await http.execute(request, deadline: .now() + TimeAmount(deadline))
            let end = now()
            let body = try await response.body.collect(upTo: Self.largestBody)
            let fields = response.headers.map {
                (name: String(ascii: $0.name.utf8).lowercased(), value: String(ascii: $0.value.utf8))
            }
            var answer = WebAnswer(
                status: Int(response.status.code), headers: fields, body: Data(body.readableBytesView))
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
        case let error as HTTPClientError:
            let isLate = [HTTPClientError.connectTimeout, .readTimeout, .deadlineExceeded].contains(error)
            return .unreachable(isLate ? "There was no answer in time." : "The answer is no valid HTTP.")
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
