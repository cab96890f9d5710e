import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// Links from outside, cancellation, and two sign-ins at once.
@Suite struct BrowserSignInSlotTests {
    private let callback = "timetracker://oauth/callback"

    private enum Kind: CaseIterable, Sendable { case bound, social }

    private func backend(
        _ kind: Kind,
        answer: @escaping @Sendable (OperationKind) async throws(TransportError) -> WireResponse? = { _ in nil }
    ) throws -> (BrowserBackend, own: String) {
        switch kind {
        case .bound: (try BrowserBackend(answer: answer), "\(callback)?code=c&state=s")
        case .social:
            (
                try BrowserBackend(.viewvault, at: "https://app.viewvault.app", answer: answer),
                "viewvault://oauth/callback?code=c&state=state-1"
            )
        }
    }

    // MARK: Links

    @Test(arguments: Kind.allCases)
    private func `takes a link to the sign-in that waits, and closes the browser`(kind: Kind) async throws {
        let (backend, own) = try backend(kind)
        let browser = ScriptedBrowser()
        async let signedIn = backend.signIn(browser, provider: "google")
        try await browser.page()
        #expect(backend.flow.slot.take(own))
        _ = try await signedIn
        #expect(browser.closings == 1 && backend.exchanges.count == 1)
    }

    @Test(arguments: Kind.allCases)
    private func `SD-01: ignores every link while nobody waits`(kind: Kind) async throws {
        let (backend, own) = try backend(kind)
        #expect(!backend.flow.slot.take(own))
        _ = try await backend.signIn(ScriptedBrowser { _ in own }, provider: "google")
        #expect(!backend.flow.slot.take(own))
        #expect(backend.exchanges.count == 1)
    }

    @Test(arguments: [
        "other://oauth/callback?code=c&state=state-1", "viewvault://evil/callback?code=c&state=state-1",
        "viewvault://oauth/callback/?code=c&state=state-1", "viewvault://oauth/callback",
        "viewvault://oauth/callback?code=c&state=other", "viewvault://oauth/callback?code=c",
        "viewvault://oauth/callback?error=access_denied", "viewvault://oauth/callback?code=c&code=d&state=state-1",
        "viewvault://oauth/callback?state=state-1", "viewvault://sign-in?username=jo", "",
        "viewvault://oauth/callback?code=" + String(repeating: "c", count: 100_000),
    ])
    func `OA-13: ignores a link that is foreign, and goes on waiting`(address: String) async throws {
        let (backend, own) = try backend(.social)
        let browser = ScriptedBrowser()
        async let signedIn = backend.signIn(browser, provider: "google")
        try await browser.page()
        #expect(!backend.flow.slot.take(address))
        #expect(browser.closings == 0)
        #expect(backend.flow.slot.take(own))
        _ = try await signedIn
        #expect(backend.exchanges == [#"{"code":"c","state":"state-1"}"#])
    }

    @Test func `OA-13: takes no link where neither state nor verifier tells whose it is`() async throws {
        let (backend, browser) = (try BrowserBackend(bindsDevice: false), ScriptedBrowser())
        async let signedIn = backend.signIn(browser)
        try await browser.page()
        #expect(!backend.flow.slot.take("\(callback)?code=evil&state=evil"))
        browser.end(at: "\(callback)?code=c&state=s")
        _ = try await signedIn
        #expect(backend.exchanges == [#"{"code":"c","state":"s","redirect_uri":"timetracker://oauth/callback"}"#])
    }

    @Test func `OA-15: a stranger's code is shown with this device's verifier, and refused`() async throws {
        let backend = try BrowserBackend { _ in .refusal(.authorizationRefused, in: .timetracker) }
        let browser = ScriptedBrowser()
        let signedIn = Task { try await backend.signIn(browser) }
        try await browser.page()
        #expect(backend.flow.slot.take("\(callback)?code=evil&state=evil"))
        await #expect(throws: ClientError.refused(.authorizationRefused)) { try await signedIn.value }
        #expect(backend.exchanges.count == 1 && backend.exchanges[0].contains("app_verifier"))
    }

    @Test func `ends with the provider's refusal that comes by a link`() async throws {
        let (backend, browser) = (try BrowserBackend(), ScriptedBrowser())
        let signedIn = Task { try await backend.signIn(browser) }
        try await browser.page()
        #expect(backend.flow.slot.take("\(callback)?error=access_denied&state=s"))
        await #expect(throws: ClientError.browserAnswer(.refused("access_denied"))) { try await signedIn.value }
        #expect(backend.exchanges.isEmpty && browser.closings == 1)
    }

    @Test func `takes one link of two`() async throws {
        let (backend, browser) = (try BrowserBackend(), ScriptedBrowser())
        async let signedIn = backend.signIn(browser)
        try await browser.page()
        #expect(backend.flow.slot.take("\(callback)?code=first&state=s"))
        #expect(!backend.flow.slot.take("\(callback)?code=second&state=s"))
        _ = try await signedIn
        #expect(backend.exchanges.count == 1 && backend.exchanges[0].contains("first"))
    }

    @Test func `ignores a link while the code is exchanged`() async throws {
        let (exchanging, begun) = AsyncStream.makeStream(of: Void.self)
        let (going, go) = AsyncStream.makeStream(of: Void.self)
        let (backend, own) = try backend(.bound) { _ in
            begun.yield()
            for await _ in going { break }
            return nil
        }
        async let signedIn = backend.signIn(ScriptedBrowser { _ in own })
        for await _ in exchanging { break }
        #expect(!backend.flow.slot.take(own))
        go.yield()
        _ = try await signedIn
        #expect(backend.exchanges.count == 1)
    }

    // MARK: Two sign-ins

    @Test func `refuses a second sign-in, and the first goes on`() async throws {
        let (backend, own) = try backend(.bound)
        let browser = ScriptedBrowser()
        async let first = backend.signIn(browser)
        try await browser.page()
        await #expect(throws: ClientError.invalidRequest("another sign-in is under way")) {
            try await backend.signIn(ScriptedBrowser())
        }
        browser.end(at: own)
        _ = try await first
        _ = try await backend.signIn(ScriptedBrowser { _ in own })
        #expect(backend.exchanges.count == 2 && browser.pages.count == 1 && browser.closings == 0)
    }

    @Test func `does not refuse another client's`() async throws {
        let (backend, own) = try backend(.bound)
        let browser = ScriptedBrowser()
        async let first = backend.signIn(browser)
        try await browser.page()
        _ = try await BrowserBackend().signIn(ScriptedBrowser { _ in own })
        browser.end(at: own)
        _ = try await first
    }

    // MARK: Cancellation

    @Test func `opens no browser if it was cancelled before`() async throws {
        let (backend, _) = try backend(.social)
        let browser = ScriptedBrowser()
        let task = Task {
            try? await HoldingPoint().hold()
            return try await backend.signIn(browser, provider: "google")
        }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        #expect(browser.pages.isEmpty && backend.exchanges.isEmpty)
    }

    @Test func `opens no browser if it is cancelled while the address is asked for`() async throws {
        let (asking, asked) = AsyncStream.makeStream(of: Void.self)
        let (backend, _) = try backend(.social) { kind throws(TransportError) in
            guard kind == .beginSocialSignIn else { return nil }
            asked.yield()
            try? await HoldingPoint().hold()
            throw .cancelled
        }
        let browser = ScriptedBrowser()
        let task = Task { try await backend.signIn(browser, provider: "google") }
        for await _ in asking { break }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        #expect(browser.pages.isEmpty)
    }

    @Test(arguments: Kind.allCases)
    private func `closes the browser if it is cancelled, and the next may begin`(kind: Kind) async throws {
        let (backend, own) = try backend(kind)
        let browser = ScriptedBrowser()
        let task = Task { try await backend.signIn(browser, provider: "google") }
        try await browser.page()
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        #expect(browser.closings == 1 && !backend.flow.slot.take(own) && backend.exchanges.isEmpty)
        let next = own.replacing("state-1", with: "state-2")
        _ = try await backend.signIn(ScriptedBrowser { _ in next }, provider: "google")
        #expect(backend.exchanges.count == 1)
    }

    @Test func `exchanges nothing that a browser brings after it was cancelled`() async throws {
        let (backend, own) = try backend(.bound)
        let (opening, opened) = AsyncStream.makeStream(of: Void.self)
        let browser = ScriptedBrowser { _ in
            opened.yield()
            // One that minds it too late.
            while !Task.isCancelled { await Task.yield() }
            return own
        }
        let task = Task { try await backend.signIn(browser) }
        for await _ in opening { break }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        #expect(backend.exchanges.isEmpty)
    }

    @Test func `says so if it is cancelled while the code is exchanged`() async throws {
        let (exchanging, begun) = AsyncStream.makeStream(of: Void.self)
        let (backend, own) = try backend(.bound) { _ throws(TransportError) in
            begun.yield()
            try? await HoldingPoint().hold()
            throw .cancelled
        }
        let task = Task { try await backend.signIn(ScriptedBrowser { _ in own }) }
        for await _ in exchanging { break }
        task.cancel()
        await #expect(throws: ClientError.cancelled) { try await task.value }
        #expect(backend.exchanges.count == 1)
    }

    @Test func `is signed in if the server has answered, cancelled or not`() async throws {
        let (backend, own) = try backend(.bound) { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return nil
        }
        let task = Task { try await backend.signIn(ScriptedBrowser { _ in own }) }
        #expect(try await task.value.tokens.accessToken.reveal() == "a")
    }
}
