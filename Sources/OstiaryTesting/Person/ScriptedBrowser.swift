import Foundation
public import OstiaryClient
import OstiaryCore

/// A browser that is controlled by the test and records the pages it was asked to open.
public final class ScriptedBrowser: BrowserPresenter {
    /// A closure that plays the person on one page: it returns the address at which the browser ends.
    public typealias Script = @Sendable (BrowserPage) async throws(BrowserPresenterProblem) -> String
    private typealias End = Result<String, BrowserPresenterProblem>

    private struct State: Sendable {
        var pages: [BrowserPage] = []
        var closings = 0
        var point: HoldingPoint?
        /// The outcomes that the test has set, by page number.
        var ends: [Int: End] = [:]
    }

    private let state = Watched(State())
    /// `nil` for a browser whose pages are ended by the test.
    private let script: Script?

    /// Creates a browser that runs a closure for each page.
    ///
    /// - Parameter script: Returns the address at which the browser ends.
    public init(_ script: @escaping Script) { self.script = script }

    /// Creates a browser that leaves each page open until the test ends it with ``end(at:)`` or ``fail(_:)``.
    public init() { script = nil }

    /// Creates a browser whose pages end at once, at their redirect URI with `answer` appended.
    ///
    /// - Parameter answer: The query, for example `?code=c&state=s`.
    public convenience init(answering answer: String) { self.init { page in page.redirectURI + answer } }

    /// Creates a browser for a ``TestServer`` and the identity provider it plays. A page of the server itself is
    /// closed, as if by the person.
    public convenience init(_ server: TestServer, _ visit: BrowserVisit = .signIn(.jo)) {
        self.init { page throws(BrowserPresenterProblem) in
            switch await server.browse(page.url.absoluteString, visit) {
            case .app(let address): return address
            case .page: throw .cancelled
            }
        }
    }

    /// A browser that the person closes at once.
    public static var closed: ScriptedBrowser {
        ScriptedBrowser { _ throws(BrowserPresenterProblem) in throw .cancelled }
    }

    // MARK: Recorded pages

    /// Every page that the browser was asked to open, in order.
    public var pages: [BrowserPage] { state.value.pages }

    /// The number of pages that were closed because the sign-in was cancelled or was completed by a link. Pages that a
    /// script ends do not count.
    public var closings: Int { state.value.closings }

    /// Waits until at least `number` pages have been opened, counted from the beginning.
    ///
    /// - Returns: The page with that number; the first is 1.
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    @discardableResult
    public func page(_ number: Int = 1) async throws(CancellationError) -> BrowserPage {
        try await state.wait { $0.pages.count >= number }
        return state.value.pages[number - 1]
    }

    // MARK: Acts of the person

    /// Holds each page that is opened from now on at `point` until the test releases it; `nil` to hold none.
    public func hold(at point: HoldingPoint?) { state.change { $0.point = point } }

    /// Ends the page that was opened last at that address. Has no effect on a page that has ended.
    public func end(at address: String) { end(.success(address)) }

    /// Fails the page that was opened last. Has no effect on a page that has ended.
    public func fail(_ problem: BrowserPresenterProblem) { end(.failure(problem)) }

    private func end(_ end: End) {
        state.change { state in
            if state.ends[state.pages.count] == nil { state.ends[state.pages.count] = end }
        }
    }

    /// Records the page, and returns the address that the script or the test gives for it.
    ///
    /// - Throws: `BrowserPresenterProblem.cancelled` if the task is cancelled while the page is open;
    ///   otherwise the problem of the script or the test.
    public func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        let (number, point) = state.change { state in
            state.pages.append(page)
            return (state.pages.count, state.point)
        }
        do {
            try await point?.hold()
            if script == nil { try await state.wait { $0.ends[number] != nil } }
        } catch {
            state.change { $0.closings += 1 }
            throw .cancelled
        }
        if let script { return try await script(page) }
        guard let end = state.value.ends[number] else { throw .cancelled }
        return try end.get()
    }
}
