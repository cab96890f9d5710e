import AsyncHTTPClient
import NIOCore
import NIOHTTP1

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

    /// - Parameter explain: Extracts a text that may be logged from the body of a refusal.
    func post(
        _ body: [UInt8], to url: String, contentType: String, prepare: (inout HTTPClientRequest) -> Void,
        explain: ([UInt8]) -> String? = { _ in nil }
    ) async throws(DeliveryFailure) {
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: contentType)
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "Ostiary")
        request.body = .bytes(body)
        prepare(&request)

        let status: UInt
        let answer: [UInt8]
        do {
            let response = try await client.execute(request, timeout: timeout)
            status = response.status.code
            // The status decides, even if the body cannot be read.
            let rest = try? await response.body.collect(upTo: Self.answerLimit)
            answer = rest.map { Array($0.readableBytesView) } ?? []
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw .temporary((error as? HTTPClientError)?.shortDescription ?? "the SMS service was not reached")
        }
        switch status {
        case 200..<300: return
        // 401 concerns this server's credentials, which the operator can correct before the message expires.
        case 401, 408, 429: throw .temporary(Self.reason(status, explain(answer)))
        case 400..<500: throw .permanent(Self.reason(status, explain(answer)))
        default: throw .temporary(Self.reason(status, explain(answer)))
        }
    }

    private static func reason(_ status: UInt, _ explanation: String?) -> String {
        "the SMS service answered HTTP \(status)" + (explanation.map { " (\($0))" } ?? "")
    }
}
