import Foundation
import OstiaryCurl
package import OstiaryEngine
import Synchronization

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
        let transfer = Transfer(
            request: request, policy: policy, certificateAuthorities: certificateAuthorities, resolution: resolution)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // libcurl blocks, and a thread of the cooperative pool must not.
                Thread.detachNewThread { continuation.resume(returning: transfer.perform()) }
            }
        } onCancel: {
            transfer.cancel()
        }
        return try result.get()
    }
}

/// A blocking request that can be cancelled from another thread.
private final class Transfer: Sendable {
    private let request: WebhookRequest
    private let policy: EventURLPolicy
    private let certificateAuthorities: String?
    private let resolution: String?
    private let cancelled = Atomic(false)

    init(request: WebhookRequest, policy: EventURLPolicy, certificateAuthorities: String?, resolution: String?) {
        self.request = request
        self.policy = policy
        self.certificateAuthorities = certificateAuthorities
        self.resolution = resolution
    }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    func perform() -> Result<WebhookAnswer, WebhookFailure> {
        let lines = request.headers.map { strdup("\($0.name): \($0.value)") }
        let url = strdup(request.url)
        let authorities = certificateAuthorities.flatMap { strdup($0) }
        let entry = resolution.flatMap { strdup($0) }
        defer { for copy in lines + [url, authorities, entry] { free(copy) } }
        var headers = lines.map { UnsafePointer($0) }
        var answer = [UInt8](repeating: 0, count: WebhookClient.maximumAnswerBytes)

        let result = request.body.withUnsafeBufferPointer { body in
            headers.withUnsafeMutableBufferPointer { headers in
                answer.withUnsafeMutableBufferPointer { answer in
                    var call = ostiary_request()
                    call.url = UnsafePointer(url)
                    call.headers = UnsafePointer(headers.baseAddress)
                    call.header_count = headers.count
                    call.body = body.baseAddress
                    call.body_length = body.count
                    call.certificate_authorities = UnsafePointer(authorities)
                    call.resolution = UnsafePointer(entry)
                    call.timeout_milliseconds = Int(request.timeout / .milliseconds(1))
                    call.answer = answer.baseAddress
                    call.answer_capacity = answer.count
                    call.is_allowed = { context, bytes, length in
                        guard let context, let bytes,
                            let address = IPAddress(bytes: Array(UnsafeBufferPointer(start: bytes, count: length)))
                        else { return false }
                        return Transfer.from(context).policy.allows(address)
                    }
                    call.is_cancelled = { context in
                        context.map { Transfer.from($0).cancelled.load(ordering: .relaxed) } ?? false
                    }
                    // Unretained: this call outlives the request, and `self` outlives this call.
                    call.context = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
                    return ostiary_request_send(&call)
                }
            }
        }
        return Self.outcome(result, body: answer.prefix(result.answer_length))
    }

    private static func from(_ context: UnsafeRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    private static func outcome(
        _ result: ostiary_answer, body: ArraySlice<UInt8>
    ) -> Result<WebhookAnswer, WebhookFailure> {
        switch result.outcome {
        case OSTIARY_REQUEST_ANSWERED:
            .success(
                WebhookAnswer(status: Int(result.status), body: Array(body), isTruncated: result.is_truncated))
        case OSTIARY_REQUEST_CANCELLED: .failure(.cancelled)
        case OSTIARY_REQUEST_ADDRESS_REFUSED: .failure(.addressRefused)
        case OSTIARY_REQUEST_TIMED_OUT: .failure(.timedOut)
        default: .failure(.unreachable(result.reason.map { String(cString: $0) } ?? ""))
        }
    }
}
