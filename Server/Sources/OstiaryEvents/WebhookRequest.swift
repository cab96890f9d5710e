package import Foundation
package import OstiaryEngine

/// A signed request to another system.
///
/// Source: Standard Webhooks, "Webhook Headers". The body may contain personal data, so the description is the host alone.
package struct WebhookRequest: Sendable {
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The time limit of the whole request.
    package var timeout: Duration

    /// Creates a request that is signed with each of the secrets.
    ///
    /// - Parameter id: The same for every attempt, so that the receiver can detect duplicates.
    package init(
        to url: String, id: String, body: [UInt8], signedWith secrets: [WebhookSecret], at now: Date, timeout: Duration
    ) {
        let timestamp = Int(now.timeIntervalSince1970)
        self.url = url
        self.body = body
        self.timeout = timeout
        headers = [
            ("Content-Type", "application/json"), ("User-Agent", "Ostiary"), ("webhook-id", id),
            ("webhook-timestamp", String(timestamp)),
            (
                "webhook-signature",
                secrets.map { $0.signature(id: id, timestamp: timestamp, body: body) }.joined(separator: " ")
            ),
        ]
    }
}

extension WebhookRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "POST \(WebhookHost.shown(url))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// The answer to a request. Its description is the status alone.
package struct WebhookAnswer: Sendable, CustomStringConvertible, CustomReflectable {
    package var status: Int
    /// The first part of the body, at most ``WebhookClient/maximumAnswerBytes``.
    package var body: [UInt8]
    /// `true` if the body is longer.
    package var isTruncated: Bool

    package init(status: Int, body: [UInt8] = [], isTruncated: Bool = false) {
        self.status = status
        self.body = body
        self.isTruncated = isTruncated
    }

    package var isSuccess: Bool { (200...299).contains(status) }
    package var description: String { "HTTP \(status)" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// The reason for which there is no answer.
package enum WebhookFailure: Error, Hashable, Sendable {
    case cancelled
    /// The URL or every address of its host is not allowed.
    case addressRefused
    case timedOut
    /// There was no connection, or it broke. The reason is a fixed text.
    case unreachable(String)

    /// The text for administrators.
    package var reason: String {
        switch self {
        case .cancelled: "the server was shutting down"
        case .addressRefused: "the address is not allowed"
        case .timedOut: "no answer in time"
        case .unreachable(let reason): reason
        }
    }
}

/// Sends requests to other systems.
package protocol WebhookSender: Sendable {
    /// Sends one request. Follows no redirect.
    ///
    /// - Returns: The answer, of any status.
    func send(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookAnswer
}

extension WebhookSender {
    /// Sends one request as part of the current trace, which its receiver can continue.
    func sendTraced(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookAnswer {
        let host = WebhookHost.shown(request.url)
        return try await RequestTrace.measure(
            .upstream, "POST \(host)",
            attributes: [.init("http.request.method", .text("POST")), .init("server.address", .text(host))]
        ) { () async throws(WebhookFailure) -> WebhookAnswer in
            var request = request
            request.headers += RequestTrace.headers(for: .own)
            return try await send(request)
        }
    }
}

/// The host of a URL for logs and messages: the rest may contain a secret.
enum WebhookHost {
    static func shown(_ url: String) -> String {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.count > 2 ? String(parts[2].prefix { $0 != "?" }.prefix(253)) : "?"
    }
}
