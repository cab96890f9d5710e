import Foundation
public import OstiaryClient
import OstiaryCore

/// A browser that does what the test says, and remembers what it was to open.
public final class ScriptedBrowser: BrowserPresenter {
    public typealias Script = @Sendable (BrowserPage) async throws(BrowserPresenterProblem) -> String

    private struct State: Sendable {
        var pages: [BrowserPage] = []
        var point: HoldingPoint?
    }

    private let state = Watched(State())
    private let script: Script

    /// - Parameter script: Gives the address where the browser ends.
    public init(_ script: @escaping Script) { self.script = script }

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

    /// Every page that it was to open.
    public var pages: [BrowserPage] { state.value.pages }

    /// Leaves the person on each page that is opened from now on until the test lets them go; nil to hold none.
    public func hold(at point: HoldingPoint?) { state.change { $0.point = point } }

    public func address(endingAt page: BrowserPage) async throws(BrowserPresenterProblem) -> String {
        let point = state.change { state in
            state.pages.append(page)
            return state.point
        }
        if let point {
            do { try await point.hold() } catch { throw .cancelled }
        }
        return try await script(page)
    }
}
