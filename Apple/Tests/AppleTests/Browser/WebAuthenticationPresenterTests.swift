import AuthenticationServices
import OstiaryTesting
import Testing

@testable import OstiaryClient

struct WebAuthenticationPresenterTests {
    private let presenter = WebAuthenticationPresenter { TestDevice.window }

    private func page(endingAt uri: String = "app://callback", isEphemeral: Bool = true) throws -> BrowserPage {
        try BrowserPage(
            url: try #require(URL(string: "https://auth.example.com/login")), redirectURI: uri, isEphemeral: isEphemeral
        )
    }

    private func end(
        _ browser: ShimBrowser, of page: BrowserPage, by presenter: WebAuthenticationPresenter? = nil
    ) async -> Result<String, BrowserPresenterProblem> {
        let presenter = presenter ?? self.presenter
        let end = try? await browser.on {
            await Self.result { () async throws(BrowserPresenterProblem) in
                try await presenter.address(endingAt: page)
            }
        }
        return end ?? .failure(.timedOut)
    }

    private static func result(
        _ body: () async throws(BrowserPresenterProblem) -> String
    ) async -> Result<String, BrowserPresenterProblem> {
        do throws(BrowserPresenterProblem) { return .success(try await body()) } catch { return .failure(error) }
    }

    @Test func `opens the page, and gives back where the browser ended`() async throws {
        let browser = ShimBrowser.ending(at: "app://callback?code=c%20d&state=s")
        #expect(await end(browser, of: try page()) == .success("app://callback?code=c%20d&state=s"))
        #expect(browser.requests.map(\.url.absoluteString) == ["https://auth.example.com/login"])
    }

    @Test func `keeps the session until its end`() async throws {
        let browser = ShimBrowser.ending(at: "app://callback?code=c")
        _ = await end(browser, of: try page())
        #expect(browser.dropped == 0 && !browser.isOpen)
    }

    @Test(arguments: [true, false]) func `is ephemeral as the page says`(isEphemeral: Bool) async throws {
        let browser = ShimBrowser.ending(at: "app://callback?code=c")
        _ = await end(browser, of: try page(isEphemeral: isEphemeral))
        #expect(browser.requests.map(\.ephemeral) == [isEphemeral])
    }

    @Test func `a person who closes the browser has cancelled`() async throws {
        #expect(await end(ShimBrowser { _ in .cancel }, of: try page()) == .failure(.cancelled))
    }

    @Test(arguments: [
        ASWebAuthenticationSessionError.Code.presentationContextNotProvided, .presentationContextInvalid,
    ])
    func `a window that will not do is the app's mistake`(code: ASWebAuthenticationSessionError.Code) async throws {
        let browser = ShimBrowser { _ in .fail(ASWebAuthenticationSessionError(code)) }
        #expect(await end(browser, of: try page()).isMisconfigured)
    }

    @Test func `an app without a window opens nothing`() async throws {
        let browser = ShimBrowser.ending(at: "app://callback?code=c")
        let result = await end(browser, of: try page(), by: WebAuthenticationPresenter { nil })
        #expect(result == .failure(.misconfigured("the app has no window to show it over")))
        #expect(browser.requests.isEmpty)
    }

    @Test func `a session that does not start is no cancellation, and ends`() async throws {
        var manners = ShimBrowser.Manners()
        manners.refusesToStart = true
        let browser = ShimBrowser.ending(at: "app://callback?code=c", manners)
        #expect(await end(browser, of: try page()) == .failure(.misconfigured("the system did not open it")))
    }

    // MARK: Callback

    @Test func `ends at an https address of a host that vouches for the app`() async throws {
        var manners = ShimBrowser.Manners()
        manners.associatedHosts = ["app.example.com"]
        let browser = ShimBrowser.ending(at: "https://app.example.com/callback?code=c", manners)
        let page = try page(endingAt: "https://app.example.com/callback")
        #expect(await end(browser, of: page) == .success("https://app.example.com/callback?code=c"))
    }

    @Test func `tells a host that vouches for nobody from a person who cancels`() async throws {
        let browser = ShimBrowser.ending(at: "https://app.example.com/callback?code=c")
        let result = await end(browser, of: try page(endingAt: "https://app.example.com/callback"))
        guard case .failure(.misconfigured(let reason)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(reason.contains("webcredentials"))
    }

    @Test func `opens nothing that would end at a listener`() async throws {
        let browser = ShimBrowser.ending(at: "http://127.0.0.1:8000/callback?code=c")
        #expect(await end(browser, of: try page(endingAt: "http://127.0.0.1:8000/callback")).isMisconfigured)
        #expect(browser.requests.isEmpty)
    }

    // MARK: One at a time, one answer

    @Test func `shows one page at a time`() async throws {
        let (point, page) = (HoldingPoint(), try page())
        let browser = ShimBrowser { _ in
            try? await point.hold()
            return URL(string: "app://callback?code=c").map { .redirect($0) } ?? .cancel
        }
        let first = Task { await end(browser, of: page) }
        try await point.arrival()
        #expect(await end(browser, of: page) == .failure(.misconfigured("another page is open")))
        point.open()
        #expect(await first.value == .success("app://callback?code=c"))
        #expect(await end(browser, of: page) == .success("app://callback?code=c"))
    }

    @Test func `takes one answer of several`() async throws {
        var manners = ShimBrowser.Manners()
        manners.answers = 3
        let browser = ShimBrowser.ending(at: "app://callback?code=c", manners)
        for _ in 0..<5 { #expect(await end(browser, of: try page()) == .success("app://callback?code=c")) }
    }

    // MARK: Cancellation

    @Test(arguments: [true, false])
    func `a cancelled task closes the browser, whether or not the system tells of it`(tells: Bool) async throws {
        var manners = ShimBrowser.Manners()
        manners.tellsOfCancel = tells
        let (point, page) = (HoldingPoint(), try page())
        let browser = ShimBrowser(manners) { _ in
            try? await point.hold()
            return .cancel
        }
        let task = Task { await end(browser, of: page) }
        try await point.arrival()
        // Closes a browser that ignores the cancellation, so that the test does not wait for it.
        let person = Task {
            try? await Task.sleep(for: .seconds(10))
            point.open()
        }
        task.cancel()
        #expect(await task.value == .failure(.cancelled))
        #expect(browser.cancelled == 1 && !browser.isOpen)
        person.cancel()
        // The next page finds no browser open.
        #expect(
            await end(ShimBrowser.ending(at: "app://callback?code=d"), of: page) == .success("app://callback?code=d"))
    }

    @Test func `a task that was cancelled before opens nothing`() async throws {
        let (browser, page) = (ShimBrowser.waiting(), try page())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await ShimBrowser.$current.withValue(browser) {
                await Self.result { () async throws(BrowserPresenterProblem) in
                    try await presenter.address(endingAt: page)
                }
            }
        }
        #expect(await task.value == .failure(.cancelled))
        #expect(browser.requests.isEmpty)
    }
}

extension Result where Success == String, Failure == BrowserPresenterProblem {
    fileprivate var isMisconfigured: Bool { if case .failure(.misconfigured) = self { true } else { false } }
}
