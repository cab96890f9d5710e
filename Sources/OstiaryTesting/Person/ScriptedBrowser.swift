import Foundation
public import OstiaryClient
import OstiaryCore

/// A browser that does what the test says, and remembers what it was to open.
public final class ScriptedBrowser: BrowserPresenter {
    public typealias Script = @Sendable (BrowserPage) async throws(BrowserPresenterProblem) -> String
    private typealias End = Result<String, BrowserPresenterProblem>

    private struct State: Sendable {
        var pages: [BrowserPage] = []
        var closings = 0
        var point: HoldingPoint?
        /// How the test ended pages, by their number.
        var ends: [Int: End] = [:]
    }

    private let state = Watched(State())
    /// Nil for a browser whose pages the test ends.
    private let script: Script?

    /// - Parameter script: Gives the address where the browser ends.
    public init(_ script: @escaping Script) { self.script = script }

    /// A person who leaves each page open until the test ends it: ``end(at:)``, ``fail(_:)``.
    public init() { script = nil }

    /// One whose pages end at once, at their redirect URI with `answer` behind it.
    ///
    /// - Parameter answer: As `?code=c&state=s`.
    public convenience init(answering answer: String) { self.init { page in page.redirectURI + answer } }

    /// A person in front of a ``TestServer``, and of the provider it plays. Left on a page of the server, they close it.
    public convenience init(_ server: TestServer, _ visit: BrowserVisit = .signIn(.jo)) {
        self.init { page throws(BrowserPresenterProblem) in
            switch await server.browse(page.url.absoluteString, visit) {
            case .app(let address): return address
            case .page: throw .cancelled
            }
        }
    }

    /// A person who closes it at once.
    public static var closed: ScriptedBrowser {
        ScriptedBrowser { _ throws(BrowserPresenterProblem) in throw .cancelled }
    }

    // MARK: What it was to open

    /// Every page that it was to open.
    public var pages: [BrowserPage] { state.value.pages }

    /// How many it closed because the sign-in was cancelled, or was ended by a link. A script's own ends do not count.
    public var closings: Int { state.value.closings }

    /// Waits until so many pages have been opened, counted from the beginning.
    ///
    /// - Returns: The last of them.
    /// - Throws: `CancellationError` if the task is cancelled meanwhile.
    @discardableResult
    public func page(_ number: Int = 1) async throws(CancellationError) -> BrowserPage {
        try await state.wait { $0.pages.count >= number }
        return state.value.pages[number - 1]
    }

    // MARK: What the person does

    /// Leaves the person on each page that is opened from now on until the test lets them go; nil to hold none.
    public func hold(at point: HoldingPoint?) { state.change { $0.point = point } }

    /// The page that was opened last leads to that address. Without effect on a page that has ended.
    public func end(at address: String) { end(.success(address)) }

    /// The page that was opened last comes to no end. Without effect on a page that has ended.
    public func fail(_ problem: BrowserPresenterProblem) { end(.failure(problem)) }

    private func end(_ end: End) {
        state.change { state in
            if state.ends[state.pages.count] == nil { state.ends[state.pages.count] = end }
        }
    }

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
