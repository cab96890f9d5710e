import OstiaryCore
import Synchronization

/// The slot for the one sign-in in the browser that a client can run at a time, with the URL that it waits for.
///
/// An attacker can make a device open one of the app's URLs with the attacker's own code in it, which would sign the
/// device's owner in to the attacker's account (login CSRF). Therefore a URL opened from outside is read only while a
/// sign-in waits for it, and only if it can be distinguished from a forged one.
final class BrowserSignInSlot: Sendable {
    /// The properties that distinguish an answer from a forged one.
    struct Expectation: Sendable {
        /// The state that the answer must carry; nil if only the backend knows it.
        var state: Secret<String>?
        /// `true` if the backend requires a state, known to this client or not.
        var needsState = true
        /// `true` if the server rejects a code that another device requested.
        var isBound = false

        /// `true` if a forged code would be detected. Without binding and state it could not be distinguished
        /// from a genuine one.
        var takesLinks: Bool { isBound || state != nil }
    }

    private struct Wait: Sendable {
        let redirectURI: String
        let expectation: Expectation
        let answers: AsyncStream<Answer>.Continuation
    }

    typealias Answer = Result<BrowserCallback, ClientError>

    private enum Phase {
        case free
        /// Before the browser is open, and after the answer has arrived.
        case busy
        case waiting(Wait)
    }

    private let phase = Mutex(Phase.free)

    /// Runs a sign-in, unless one is running already.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` if one is running: opening a second browser would close the first
    ///   one and discard the user's input. To start another sign-in, cancel the first.
    func taken<Value: Sendable>(_ body: () async throws(ClientError) -> Value) async throws(ClientError) -> Value {
        let isMine = phase.withLock { phase in
            guard case .free = phase else { return false }
            phase = .busy
            return true
        }
        guard isMine else { throw .invalidRequest("another sign-in is under way") }
        defer { phase.withLock { $0 = .free } }
        return try await body()
    }

    /// Shows the page, and waits for the first answer: the presenter's or a link's.
    func answer(
        of page: BrowserPage, by presenter: any BrowserPresenter, _ expectation: Expectation
    ) async throws(ClientError) -> BrowserCallback {
        guard !Task.isCancelled else { throw .cancelled }
        let (links, answers) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingOldest(1))
        let wait = Wait(redirectURI: page.redirectURI, expectation: expectation, answers: answers)
        phase.withLock { $0 = .waiting(wait) }
        let answer = await withTaskGroup(of: Answer?.self) { group in
            group.addTask { await self.shown(page, by: presenter, wait) }
            group.addTask {
                var links = links.makeAsyncIterator()
                return await links.next()
            }
            var answer: Answer?
            while answer == nil, let next = await group.next() { answer = next }
            // Closes the browser if the answer came by a link.
            group.cancelAll()
            return answer
        }
        // The caller was cancelled and discards the answer: the code is never redeemed.
        guard !Task.isCancelled, let answer else { throw .cancelled }
        return try answer.get()
    }

    /// - Returns: Nil if a link's answer arrived first.
    private func shown(_ page: BrowserPage, by presenter: any BrowserPresenter, _ wait: Wait) async -> Answer? {
        let answer: Answer
        do throws(BrowserPresenterProblem) {
            let address = try await presenter.address(endingAt: page)
            answer = Self.read(address, wait).mapError { .browserAnswer($0) }
        } catch {
            answer = .failure(ClientError(error))
        }
        let isFirst = phase.withLock { phase in
            guard case .waiting = phase else { return false }
            phase = .busy
            return true
        }
        guard isFirst else { return nil }
        wait.answers.finish()
        return answer
    }

    /// Handles a URL that was opened from outside, if it answers the sign-in that waits.
    ///
    /// - Returns: True if it was accepted. All other URLs are ignored and end nothing.
    func take(_ address: String) -> Bool {
        phase.withLock { phase in
            guard case .waiting(let wait) = phase, wait.expectation.takesLinks else { return false }
            let answer: Answer
            switch Self.read(address, wait) {
            case .success(let callback): answer = .success(callback)
            case .failure(let problem):
                guard case .refused = problem else { return false }
                answer = .failure(.browserAnswer(problem))
            }
            phase = .busy
            wait.answers.yield(answer)
            return true
        }
    }

    private static func read(_ address: String, _ wait: Wait) -> Result<BrowserCallback, BrowserCallbackProblem> {
        do {
            let callback = try BrowserCallback(address, for: wait.redirectURI, state: wait.expectation.state)
            return callback.state == nil && wait.expectation.needsState ? .failure(.malformed) : .success(callback)
        } catch {
            return .failure(error)
        }
    }
}

extension ClientError {
    init(_ problem: BrowserPresenterProblem) {
        self =
            switch problem {
            case .cancelled: .cancelledByUser
            case .timedOut: .network(.timedOut)
            case .misconfigured(let reason): .invalidRequest("the browser cannot be opened: \(reason)")
            }
    }
}
