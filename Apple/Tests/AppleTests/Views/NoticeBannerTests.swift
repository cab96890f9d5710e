import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor struct NoticeBannerTests {
    private func model(_ events: ClientEvent...) async throws -> (ScriptedActions, AuthViewModel, ShimHost) {
        let actions = ScriptedActions(.vici)
        actions.enter(.signedIn(.sample("here"), verified: true))
        let model = AuthViewModel(actions, texts: .english)
        let host = ShimHost(AuthView(model) { Text(verbatim: "content") })
        for event in events { actions.tell(event) }
        return (actions, model, host)
    }

    @Test func `says above the app's own content that the device cannot keep the sign-in, for as long as it is so`()
        async throws
    {
        let (actions, _, host) = try await model(.storeUnwritable(TestStore.denied))
        let text = AuthTexts.english(.memoryOnly)
        try await host.wait("the banner") { host.has("Text", text) && host.has("Text", "content") }
        #expect(host.announcements == [text])
        actions.tell(.storeWritableAgain)
        try await host.wait("its end") { !host.has("Text", text) }
    }

    @Test func `goes away when it is tapped away`() async throws {
        let (_, _, host) = try await model(.storeUnwritable(TestStore.denied))
        try await host.wait("the banner") { host.has("Text", AuthTexts.english(.memoryOnly)) }
        #expect(try host.find(["Button"], "dismiss.memory_only").label == AuthTexts.english(.dismissNotice))
        try host.tap("dismiss.memory_only")
        #expect(!host.has("Text", AuthTexts.english(.memoryOnly)))
    }

    @Test(arguments: AuthNotice.allCases) func `has words for every notice`(notice: AuthNotice) {
        for texts in AuthTexts.all { #expect(texts.text(of: notice).contains(" ") || notice == .profileSaved) }
    }
}
