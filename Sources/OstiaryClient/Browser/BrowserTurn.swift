import OstiaryCore
import Synchronization

/// The one sign-in in the browser that a client can have under way, and the address it waits for.
///
/// Anybody can make a device open the app's addresses, with a code of their own in it, so that its owner ends up in their
/// account. So an address that was opened from outside is looked at only while a sign-in waits for it, and only where it
/// can be told from a foreign one.
final class BrowserTurn: Sendable {
    /// How an answer is told from a foreign one.
    struct Expectation: Sendable {
        /// What the answer must carry; nil where only the backend knows.
        var state: Secret<String>?
        /// Whether the backend asks for a state, known here or not.
        var needsState = true
        /// Whether the server refuses a code that this device did not ask for.
        var isBound = false

        /// Without either, a foreign code would be as good as one's own.
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
        /// Before the browser is open, and after the answer is there.
        case busy
        case waiting(Wait)
    }

    private let phase = Mutex(Phase.free)

    /// Runs a sign-in, unless there is one already.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` if there is: opening a second browser would close the first one, and
    ///   with it what the person is typing. Whoever wants the second cancels the first.
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

    /// Shows the page, and waits for the first answer: the browser's own, or a link's.
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
            // Closes the browser where the answer came by a link.
            group.cancelAll()
            return answer
        }
        // Too late for whoever cancelled to care what came: the code is spent by nobody.
        guard !Task.isCancelled, let answer else { throw .cancelled }
        return try answer.get()
    }

    /// - Returns: Nil if a link's answer was there before.
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

    /// Takes an address that was opened from outside, if it answers the sign-in that waits.
    ///
    /// - Returns: Whether it was taken. All others are ignored: they end nothing.
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
