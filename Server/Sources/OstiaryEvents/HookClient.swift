import Foundation
import Logging
import OstiaryContracts
import OstiaryCore
package import OstiaryEngine
import Synchronization

/// Asks one hook over HTTP. The questions have signatures of Standard Webhooks, as events do.
package final class HookClient: Sendable {
    private let url: String
    private let secret: WebhookSecret
    private let sender: any WebhookSender
    private let system: SystemDependencies
    private let timeout: Duration
    private let concurrency: Int
    private let inProgress = Mutex(0)

    /// - Parameter concurrency: The maximum number of concurrent questions. Beyond it they fail, because a hook that is slow
    ///   must not take every thread of the server.
    package init(
        url: String, secret: WebhookSecret, sender: any WebhookSender, system: SystemDependencies,
        timeout: Duration = Hook.timeout, concurrency: Int = 64
    ) {
        self.url = url
        self.secret = secret
        self.sender = sender
        self.system = system
        self.timeout = timeout
        self.concurrency = concurrency
    }

    /// Sends a question.
    ///
    /// - Returns: The body of the answer.
    /// - Throws: ``WebhookFailure``, or ``HookRefusal`` for an answer that is no success, too long or no strict JSON.
    package func ask(_ question: [UInt8]) async throws -> [UInt8] {
        let mayBegin = inProgress.withLock { count in
            guard count < concurrency else { return false }
            count += 1
            return true
        }
        guard mayBegin else { throw HookRefusal.tooManyQuestions }
        defer { inProgress.withLock { $0 -= 1 } }
        let request = WebhookRequest(
            to: url, id: system.uuid(), body: question, signedWith: [secret], at: system.now(), timeout: timeout)
        let answer = try await sender.sendTraced(request)
        guard answer.status == 200 else { throw HookRefusal.status(answer.status) }
        guard !answer.isTruncated else { throw HookRefusal.tooLong }
        // Two readers must not understand one answer differently.
        do { _ = try JSON.read(answer.body) } catch { throw HookRefusal.malformed("\(error)") }
        return answer.body
    }
}

/// The reason for which a hook's answer is not used.
package enum HookRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    case status(Int)
    case tooLong
    case tooManyQuestions
    /// No JSON by RFC 8259 and RFC 7493.
    case malformed(String)

    package var description: String {
        switch self {
        case .status(let status): "HTTP \(status)"
        case .tooLong: "its answer is too long"
        case .malformed(let problem): "its answer is not acceptable: \(problem)"
        case .tooManyQuestions: "too many questions are waiting for an answer"
        }
    }
}
