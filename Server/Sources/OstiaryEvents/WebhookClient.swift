package import OstiaryEngine
import OstiaryWebClient

/// Sends requests with libcurl, one connection each.
///
/// The policy is asked about the address of every connection that libcurl is about to open, so that the owner of a name cannot
/// answer the check with one address and the connection with another (DNS rebinding).
package struct WebhookClient: WebhookSender {
    private let policy: EventURLPolicy
    private let certificateAuthorities: String?
    private let resolution: String?

    /// The part of an answer's body that is read, in bytes.
    package static let maximumAnswerBytes = 65_536

    /// - Parameters:
    ///   - certificateAuthorities: A PEM file of the only authorities to trust; nil for the system's.
    ///   - resolution: An entry `host:port:address` in place of a lookup, for tests.
    package init(policy: EventURLPolicy, certificateAuthorities: String? = nil, resolution: String? = nil) {
        self.policy = policy
        self.certificateAuthorities = certificateAuthorities
        self.resolution = resolution
    }

    package func send(_ request: WebhookRequest) async throws(WebhookFailure) -> WebhookAnswer {
        do { try policy.check(request.url) } catch { throw .addressRefused }
        var post = SinglePost(
            url: request.url, headers: request.headers, body: request.body, timeout: request.timeout,
            maximumAnswerBytes: Self.maximumAnswerBytes)
        post.certificateAuthorities = certificateAuthorities
        post.resolution = resolution
        post.allows = { [policy] bytes in IPAddress(bytes: bytes).map(policy.allows) ?? false }
        do {
            let answer = try await post.answer()
            return WebhookAnswer(status: answer.status, body: answer.body, isTruncated: answer.isTruncated)
        } catch {
            throw WebhookFailure(error)
        }
    }
}

extension WebhookFailure {
    fileprivate init(_ failure: SinglePost.Failure) {
        switch failure {
        case .addressRefused: self = .addressRefused
        case .timedOut: self = .timedOut
        case .cancelled: self = .cancelled
        case .unreachable(let reason): self = .unreachable(reason)
        }
    }
}
