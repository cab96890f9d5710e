import Foundation
import OstiaryCurl
import Synchronization

/// A POST request by libcurl on a connection of its own. Follows no redirect and uses no proxy.
///
/// Of an answer it reads the beginning: a status counts whatever follows it.
package struct SinglePost: Sendable {
    /// An absolute http or https URL.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]
    /// The time for everything, the name lookup included.
    package var timeout: Duration
    /// The part of an answer's body that is read, in bytes.
    package var maximumAnswerBytes: Int
    /// A PEM file of the only authorities to trust; nil for the system's.
    package var certificateAuthorities: String?
    /// An entry `host:port:address` in place of a lookup, for tests.
    package var resolution: String?
    /// Decides about each address, of 4 or 16 bytes, that is about to be connected to. By default any is allowed.
    package var allows: @Sendable ([UInt8]) -> Bool = { _ in true }

    package init(
        url: String, headers: [(name: String, value: String)], body: [UInt8], timeout: Duration, maximumAnswerBytes: Int
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
        self.maximumAnswerBytes = maximumAnswerBytes
    }

    /// The answer to a request.
    package struct Answer: Sendable {
        package var status: Int
        /// The beginning of the body.
        package var body: [UInt8]
        /// `true` if the body was longer.
        package var isTruncated: Bool
    }

    /// The reason why there is no answer.
    package enum Failure: Error, Hashable, Sendable {
        /// Every address of the host was refused.
        case addressRefused
        case timedOut
        case cancelled
        /// libcurl's description of its result: a constant text.
        case unreachable(String)
    }

    /// Sends the request and waits for the answer, of any status.
    package func answer() async throws(Failure) -> Answer {
        let transfer = Transfer(self)
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
    private let post: SinglePost
    private let cancelled = Atomic(false)

    init(_ post: SinglePost) { self.post = post }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    func perform() -> Result<SinglePost.Answer, SinglePost.Failure> {
        let lines = post.headers.map { strdup("\($0.name): \($0.value)") }
        let url = strdup(post.url)
        let authorities = post.certificateAuthorities.flatMap { strdup($0) }
        let entry = post.resolution.flatMap { strdup($0) }
        defer { for copy in lines + [url, authorities, entry] { free(copy) } }
        var headers = lines.map { UnsafePointer($0) }
        var answer = [UInt8](repeating: 0, count: post.maximumAnswerBytes)

        let result = post.body.withUnsafeBufferPointer { body in
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
                    call.timeout_milliseconds = Int(post.timeout / .milliseconds(1))
                    call.answer = answer.baseAddress
                    call.answer_capacity = answer.count
                    call.is_allowed = { context, bytes, length in
                        guard let context, let bytes else { return false }
                        return Transfer.from(context).post.allows(
                            Array(UnsafeBufferPointer(start: bytes, count: length)))
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
    ) -> Result<SinglePost.Answer, SinglePost.Failure> {
        switch result.outcome {
        case OSTIARY_REQUEST_ANSWERED:
            .success(
                SinglePost.Answer(status: Int(result.status), body: Array(body), isTruncated: result.is_truncated))
        case OSTIARY_REQUEST_CANCELLED: .failure(.cancelled)
        case OSTIARY_REQUEST_ADDRESS_REFUSED: .failure(.addressRefused)
        case OSTIARY_REQUEST_TIMED_OUT: .failure(.timedOut)
        default: .failure(.unreachable(result.reason.map { String(cString: $0) } ?? ""))
        }
    }
}
