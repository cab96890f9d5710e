import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor struct PasswordRevealTests {
    private func typed(moment: Moment = Moment()) async throws -> Screen {
        let screen = try Screen(.vici, look: { $0.scenePhase = moment.phase })
        try await screen.start()
        try screen.type(["signIn.identifier": "ada@example.com", "signIn.password": goodPassword])
        return screen
    }

    private func kind(_ screen: Screen) throws -> String { try screen.field("signIn.password").kind }

    @Test(arguments: AuthTexts.all) func `a password is shown and hidden by a button that says so`(texts: AuthTexts)
        async throws
    {
        let screen = try Screen(.vici, texts: texts)
        try await screen.start()
        try screen.host.type(goodPassword, into: "signIn.password")
        let hidden = try screen.field("signIn.password")
        #expect(try screen.button("signIn.password.reveal").label == texts(.showPassword))
        try screen.host.tap("signIn.password.reveal")
        let shown = try screen.field("signIn.password")
        #expect(try screen.button("signIn.password.reveal").label == texts(.hidePassword))
        #expect(hidden.kind == "SecureField" && shown.kind == "TextField")
        #expect(shown.value == goodPassword)
        // What the system fills in, and all else, stays as it was.
        #expect(shown.attributes == hidden.attributes)
        #expect(shown.attributes["textContentType"] == "password" && shown.attributes["privacySensitive"] == "true")
        try screen.host.tap("signIn.password.reveal")
        #expect(try kind(screen) == "SecureField")
    }

    @Test func `the field keeps the focus if it had it, and takes it from no other`() async throws {
        let screen = try await typed()
        #expect(screen.focus == "signIn.password")
        try screen.host.tap("signIn.password.reveal")
        #expect(screen.focus == "signIn.password")
        try screen.host.type("ada@example.com", into: "signIn.identifier")
        try screen.host.tap("signIn.password.reveal")
        #expect(screen.focus == "signIn.identifier")
    }

    @Test func `only passwords have the button`() async throws {
        let screen = try await typed()
        let buttons = screen.host.all.compactMap { $0.attributes["id"] }.filter { $0.hasSuffix(".reveal") }
        #expect(buttons == ["signIn.password.reveal"])
    }

    @Test func `a shown password is hidden again once it is sent`() async throws {
        let screen = try await typed()
        try screen.host.tap("signIn.password.reveal")
        let point = try await screen.begin("signIn")
        #expect(try kind(screen) == "SecureField")
        #expect(screen.focus == nil)
        #expect(try !screen.button("signIn.password.reveal").enabled)
        point.open()
    }

    @Test func `a shown password is hidden again when the app leaves the front`() async throws {
        let moment = Moment()
        let screen = try await typed(moment: moment)
        try screen.host.tap("signIn.password.reveal")
        moment.become(.inactive, on: screen)
        #expect(try kind(screen) == "SecureField")
        moment.become(.active, on: screen)
        #expect(try kind(screen) == "SecureField")
    }

    @Test func `a shown password is hidden again when the form comes back`() async throws {
        let screen = try await typed()
        try screen.host.tap("register-link")
        try screen.host.type(goodPassword, into: "register.password")
        try screen.host.tap("register.password.reveal")
        #expect(try screen.field("register.password").kind == "TextField")
        try screen.host.tap("Back")
        try screen.host.tap("register-link")
        #expect(try screen.field("register.password").kind == "SecureField")
    }
}
