import OstiaryEngine
import OstiaryWebClient

/// The HTTP client of both kinds of SMS delivery: one POST with a timeout of seconds, no redirect followed.
package struct SMSGateway: Sendable {
    private let timeout: Duration

    /// The part of an answer that is read, in bytes.
    private static let answerLimit = 16384

    package init(timeout: Duration = .seconds(15)) { self.timeout = timeout }

    /// - Parameters:
    ///   - destination: The kind of server, which decides the headers of the trace that it receives.
    ///   - explain: Extracts a text that may be logged from the body of a refusal.
    func post(
        _ body: [UInt8], to url: String, destination: RequestTrace.Destination, contentType: String,
        headers: [(name: String, value: String)], explain: ([UInt8]) -> String? = { _ in nil }
    ) async throws(DeliveryFailure) {
        let headers =
            [("Content-Type", contentType), ("Accept", "application/json"), ("User-Agent", "Ostiary")] + headers
        let answer = try await RequestTrace.measure(
            .upstream, "send SMS", attributes: [.init("http.request.method", .text("POST"))]
        ) { () async throws(DeliveryFailure) -> SinglePost.Answer in
            let post = SinglePost(
                url: url, headers: headers + RequestTrace.headers(for: destination), body: body, timeout: timeout,
                maximumAnswerBytes: Self.answerLimit)
            do throws(SinglePost.Failure) { return try await post.answer() } catch { throw DeliveryFailure(error) }
        }
        switch answer.status {
        case 200..<300: return
        // 401 concerns this server's credentials, which the operator can correct before the message expires.
        case 401, 408, 429: throw .temporary(Self.reason(answer.status, explain(answer.body)))
        case 400..<500: throw .permanent(Self.reason(answer.status, explain(answer.body)))
        default: throw .temporary(Self.reason(answer.status, explain(answer.body)))
        }
    }

    private static func reason(_ status: Int, _ explanation: String?) -> String {
        "the SMS service answered HTTP \(status)" + (explanation.map { " (\($0))" } ?? "")
    }
}

extension DeliveryFailure {
    fileprivate init(_ failure: SinglePost.Failure) {
        switch failure {
        case .cancelled: self = .cancelled
        case .timedOut: self = .temporary("the SMS service did not answer in time")
        case .addressRefused: self = .temporary("the SMS service was not reached")
        case .unreachable(let reason): self = .temporary("the SMS service was not reached: \(reason)")
        }
    }
}
