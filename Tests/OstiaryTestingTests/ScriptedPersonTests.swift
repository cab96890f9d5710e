import Foundation
import OstiaryClient
import OstiaryTesting
import Testing

struct ScriptedPersonTests {
    private let page: BrowserPage

    init() throws {
        page = try BrowserPage(
            url: try #require(URL(string: "https://idp.example.com/")), redirectURI: "app://callback")
    }

    // MARK: The browser

    @Test func `ends a page where the test says, once it is open`() async throws {
        let browser = ScriptedBrowser()
        browser.end(at: "app://callback?code=early")
        async let address = browser.address(endingAt: page)
        #expect(try await browser.page() == page)
        browser.end(at: "app://callback?code=c")
        browser.end(at: "app://callback?code=late")
        #expect(try await address == "app://callback?code=c")
        #expect(browser.closings == 0)
    }

    @Test func `fails a page as the test says, and leaves the next one open`() async throws {
        let browser = ScriptedBrowser()
        let first = Task { try await browser.address(endingAt: page) }
        try await browser.page()
        browser.fail(.timedOut)
        await #expect(throws: BrowserPresenterProblem.timedOut) { try await first.value }
        let second = Task { try await browser.address(endingAt: page) }
        try await browser.page(2)
        browser.end(at: "app://callback")
        #expect(try await second.value == "app://callback")
    }

    @Test func `closes a page whose task is cancelled, and counts it`() async throws {
        let browser = ScriptedBrowser()
        let task = Task { try await browser.address(endingAt: page) }
        try await browser.page()
        task.cancel()
        await #expect(throws: BrowserPresenterProblem.cancelled) { try await task.value }
        #expect(browser.closings == 1)
    }

    @Test func `ends at the redirect URI with the answer behind it`() async throws {
        let browser = ScriptedBrowser(answering: "?code=c&state=s")
        #expect(try await browser.address(endingAt: page) == "app://callback?code=c&state=s")
    }

    // MARK: The gate

    @Test func `holds a prompt, and gives the answer that was said meanwhile`() async throws {
        let (gate, point) = (ScriptedBiometricPrompt(), HoldingPoint())
        gate.hold(at: point)
        async let answer = gate.ask("Show your notes")
        try await point.arrivals(1)
        gate.answerNext(.failed)
        point.open()
        #expect(await answer == .failed)
        #expect(await gate.ask("again") == .passed(ScriptedBiometricPrompt.enrolment))
        #expect(gate.closings == 0)
    }

    @Test func `closes a prompt whose task is cancelled, and counts it`() async throws {
        let (gate, point) = (ScriptedBiometricPrompt(), HoldingPoint())
        gate.hold(at: point)
        let task = Task { await gate.ask("Show your notes") }
        try await point.arrivals(1)
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(gate.closings == 1)
    }
}
