import OstiaryClient
import Synchronization

/// A browser that shows every page until the test says where it ends.
final class HeldBrowser: BrowserPresenter {
    private struct State {
        var pages: [BrowserPage] = []
        var closed = 0
        var end: AsyncStream<Result<String, BrowserPresenterProblem>>.Continuation?
    }

    private let state = Mutex(State())
    private let openings: AsyncStream<BrowserPage>
    private let opening: AsyncStream<BrowserPage>.Continuation

    init() { (openings, opening) = AsyncStream.makeStream() }

    /// Those that were opened so far.
    var pages: [BrowserPage] { state.withLock { $0.pages } }
    /// How many were closed because their task was cancelled.
    var closed: Int { state.withLock { $0.closed } }

    /// The next page, once it is open. For one task at a time.
    func opened() async -> BrowserPage? {
        var openings = openings.makeAsyncIterator()
        return await openings.next()
    }

    func end(at address: String) { end(.success(address)) }
    func fail(_ problem: BrowserPresenterProblem) { end(.failure(problem)) }
    private func end(_ result: Result<String, BrowserPresenterProblem>) { _ = state.withLock { $0.end }?.yield(result) }

    func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        let (ends, end) = AsyncStream.makeStream(of: Result<String, BrowserPresenterProblem>.self)
        state.withLock { state in
            state.pages.append(page)
            state.end = end
        }
        opening.yield(page)
        var iterator = ends.makeAsyncIterator()
        if let result = await iterator.next() { return try result.get() }
        state.withLock { $0.closed += 1 }
        throw .cancelled
    }
}

/// A browser that ends at once, as the test says.
struct ScriptedBrowser: BrowserPresenter {
    let script: @Sendable (BrowserPage) async throws(BrowserPresenterProblem) -> String

    init(_ script: @escaping @Sendable (BrowserPage) async throws(BrowserPresenterProblem) -> String) {
        self.script = script
    }

    /// One whose pages end at `answer` behind their redirect URI.
    init(_ answer: String) { self.init { page in page.redirectURI + answer } }

    func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String { try await script(page) }
}

/// Waits for nothing but the task's cancellation.
func untilCancelled() async {
    let (never, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    continuation.finish()
}
