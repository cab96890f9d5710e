import Foundation

/// Performs requests that may be repeated, and keeps their answers, so that a repetition gets the first one's.
///
/// A request is performed at least once: if its process ends between the change and the kept answer, a repetition
/// performs it again as soon as the claim has expired. Requests that create something find it by its unique name then.
public struct IdempotentRequests: Sendable {
    /// The time for which an answer is kept.
    private static let keptSeconds: TimeInterval = 86_400
    /// The time after which the claim of a process that has ended expires. No request takes as long.
    private static let claimedSeconds: TimeInterval = 120

    private let server: AdministeredServer

    /// Creates the requests of a server.
    public init(_ server: AdministeredServer) { self.server = server }

    /// The reason why a request is not performed.
    public enum Refusal: Error, Hashable, Sendable {
        /// Another request had the same key.
        case reused
        /// The first request is still being performed.
        case inUse(retryAfterSeconds: Int)
    }

    /// Performs a request, unless it was performed before.
    ///
    /// Continues if the caller's task is cancelled: a client whose connection broke repeats the request.
    ///
    /// - Parameters:
    ///   - name: The parts that identify the request: the actor, the method, the path and the client's key.
    ///   - body: The body, which a repetition must not change.
    ///   - perform: Performs the request; `keeps` is `true` for an answer that repetitions are to get.
    /// - Returns: The answer of this call, or the kept one, with `true`.
    /// - Throws: ``Refusal``, and the errors of `perform`.
    public func perform(
        _ name: [String], body: [UInt8],
        _ perform: @escaping @Sendable () async throws -> (answer: [UInt8], keeps: Bool)
    ) async throws -> (answer: [UInt8], isKept: Bool) {
        let now = server.system.now()
        let hash = server.keys.digest(name, for: .idempotency, app: nil)
        let request = IdempotentRequest(
            hash: hash,
            bodyHash: server.keys.digest(["body", body.base64URL], for: .idempotency, app: nil),
            claim: server.system.uuid(), claimedUntil: now.addingTimeInterval(Self.claimedSeconds),
            expiresAt: now.addingTimeInterval(Self.keptSeconds))
        let context = SealedValue.Kind.answer.context(hash: hash)
        switch try await server.store.claim(request, at: now) {
        case .claimed: break
        case .answered(let sealed): return (try server.keys.open(sealed, for: .idempotency, context: context), true)
        case .inUse(let until):
            throw Refusal.inUse(retryAfterSeconds: max(1, Int(until.timeIntervalSince(now).rounded(.up))))
        case .differs: throw Refusal.reused
        }
        let answer = try await Task {
            let (answer, keeps): ([UInt8], Bool)
            do { (answer, keeps) = try await perform() } catch {
                await release(request)
                throw error
            }
            guard keeps else {
                await release(request)
                return answer
            }
            do {
                let sealed = try server.keys.seal(answer, for: .idempotency, context: context)
                try await server.store.complete(request, with: sealed)
            } catch {
                // The change was made: its answer is right, and only a repetition performs it again.
                _ = server.report(error)
                await release(request)
            }
            return answer
        }.value
        return (answer, false)
    }

    /// A claim that cannot be released expires.
    private func release(_ request: IdempotentRequest) async {
        do { try await server.store.release(request) } catch { _ = server.report(error) }
    }
}
