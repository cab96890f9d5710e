import Foundation
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// Any order of what can happen to a sign-in in the browser.
@Suite struct BrowserInterleavingTests {
    private enum Event: CaseIterable { case link, foreignLink, back, foreignBack, giveUp, cancel, second }

    /// What came of one sign-in.
    private struct Round {
        let state: String
        let result: Result<SignedIn, any Error>
        /// Those that were taken.
        let links: [Event]
    }

    @Test func `1,000 of them: nothing foreign is ever exchanged, and nothing answered twice`() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("interleavings of sign-ins in the browser: seed \(seed)")
        var random = SeededRandom(seed: seed)
        var endings: Set<String> = []
        for _ in 0..<250 {
            let backend = try BrowserBackend(.viewvault, at: "https://app.viewvault.app")
            let browser = ScriptedBrowser()
            // One after the other on the same client, so that what is left of one can meet the next.
            for number in 1...4 {
                let round = try await run(on: backend, browser, number, &random)
                #expect(round.links.isEmpty || round.links == [.link], "seed \(seed)")
                let own = backend.exchanges.filter { $0.contains("\"\(round.state)\"") }
                switch round.result {
                case .success:
                    #expect(own.count == 1, "seed \(seed)")
                    endings.insert("signed_in")
                case .failure(let error):
                    #expect(own.isEmpty, "seed \(seed): \(error)")
                    endings.insert((error as? ClientError)?.name ?? "\(error)")
                }
                #expect(!backend.flow.slot.take(Self.own(round.state)), "seed \(seed)")
            }
            #expect(backend.exchanges.allSatisfy { !$0.contains("evil") }, "seed \(seed)")
            #expect(Set(backend.exchanges).count == backend.exchanges.count, "seed \(seed)")
        }
        // All that can come of it did come of it: else the test tries less than it says.
        #expect(
            endings == ["signed_in", "cancelled", "cancelled_by_user", "callback_foreign", "callback_foreign_state"])
    }

    private static func own(_ state: String) -> String { "viewvault://oauth/callback?code=c&state=\(state)" }

    private func run(
        on backend: BrowserBackend, _ browser: ScriptedBrowser, _ number: Int, _ random: inout SeededRandom
    ) async throws -> Round {
        let events = (0..<Int.random(in: 1...6, using: &random)).map { _ in
            (Event.allCases.randomElement(using: &random) ?? .link, pauses: Int.random(in: 0...3, using: &random))
        }
        let task = Task { try await backend.signIn(browser, provider: "google") }
        let page = try await browser.page(number)
        let state = String(page.url.absoluteString.split(separator: "&state=").last ?? "")
        let foreign =
            [
                "viewvault://oauth/callback?code=evil&state=evil", "viewvault://evil/callback?code=evil&state=\(state)",
                "viewvault://oauth/callback?code=evil", "viewvault://oauth/callback?code=evil&state=state-0",
            ].randomElement(using: &random) ?? ""
        let links = await withTaskGroup(of: Event?.self) { group in
            for (event, pauses) in events {
                group.addTask {
                    for _ in 0..<pauses { await Task.yield() }
                    switch event {
                    case .link: return backend.flow.slot.take(Self.own(state)) ? event : nil
                    case .foreignLink: return backend.flow.slot.take(foreign) ? event : nil
                    case .back: browser.end(at: Self.own(state))
                    case .foreignBack: browser.end(at: foreign)
                    case .giveUp: browser.fail(.cancelled)
                    case .cancel: task.cancel()
                    case .second:
                        let other = ScriptedBrowser(answering: "?code=evil&state=evil")
                        _ = try? await backend.signIn(other, provider: "google")
                    }
                    return nil
                }
            }
            return await group.reduce(into: []) { links, link in links += [link].compactMap { $0 } }
        }
        // Whatever happened, somebody closes the window in the end.
        browser.fail(.cancelled)
        let result = await task.result
        return Round(state: state, result: result, links: links)
    }
}
