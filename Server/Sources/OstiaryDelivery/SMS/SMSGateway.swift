import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import OstiaryEngine

/// The HTTP client of both kinds of SMS delivery: one POST with a timeout of seconds, no redirect followed.
package struct SMSGateway: Sendable {
    private let client: HTTPClient
    private let timeout: TimeAmount

    /// The size limit of an answer, in bytes.
    private static let answerLimit = 16384

    package static func withGateway(
        timeoutMilliseconds: Int64 = 15_000, _ body: @Sendable (SMSGateway) async -> Void
    ) async throws {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(5), read: .milliseconds(timeoutMilliseconds))
        // The outbox schedules retries itself.
        configuration.connectionPool.retryConnectionEstablishment = false
        try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            await body(SMSGateway(client: client, timeout: .milliseconds(timeoutMilliseconds)))
        }
    }

    /// - Parameters:
    ///   - destination: The kind of server, which decides the headers of the trace that it receives.
    ///   - explain: Extracts a text that may be logged from the body of a refusal.
    func post(
        _ body: [UInt8], to url: String, destination: RequestTrace.Destination, contentType: String,
        prepare: (inout HTTPClientRequest) -> Void, explain: ([UInt8]) -> String? = { _ in nil }
    ) async throws(DeliveryFailure) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: contentType)
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "Ostiary")
        request.body = .bytes(body)
        prepare(&request)
        let answer = try await RequestTrace.measure(
            .upstream, "send SMS", attributes: [.init("http.request.method", .text("POST"))]
        ) { () async throws(DeliveryFailure) -> (status: UInt, body: [UInt8]) in
            for (name, value) in RequestTrace.headers(for: destination) {
                request.headers.add(name: name, value: value)
            }
            return try await send(request)
        }
        switch answer.status {
        case 200..<300: return
        // 401 concerns this server's credentials, which the operator can correct before the message expires.
        case 401, 408, 429: throw .temporary(Self.reason(answer.status, explain(answer.body)))
        case 400..<500: throw .permanent(Self.reason(answer.status, explain(answer.body)))
        default: throw .temporary(Self.reason(answer.status, explain(answer.body)))
        }
    }

    private func send(_ request: HTTPClientRequest) async throws(DeliveryFailure) -> (status: UInt, body: [UInt8]) {
        do {
            let response = try await client.execute(request, timeout: timeout)
            // The status decides, even if the body cannot be read.
            let rest = try? await response.body.collect(upTo: Self.answerLimit)
            return (response.status.code, rest.map { Array($0.readableBytesView) } ?? [])
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw .temporary((error as? HTTPClientError)?.shortDescription ?? "the SMS service was not reached")
        }
    }

    private static func reason(_ status: UInt, _ explanation: String?) -> String {
        "the SMS service answered HTTP \(status)" + (explanation.map { " (\($0))" } ?? "")
    }
}
