import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

@MainActor struct SignInViewTests {
    private func vici() async throws -> Screen {
        let screen = try Screen(.vici)
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        try await screen.start()
        return screen
    }

    private static let right = ["signIn.identifier": "ada@example.com", "signIn.password": goodPassword]
    private static let wrong = ["signIn.identifier": "ada@example.com", "signIn.password": "wrong"]

    @Test func `signs in and shows the app's own content`() async throws {
        let screen = try await vici()
        try screen.type(Self.right)
        try screen.host.tap("signIn")
        try await screen.seesContent()
        #expect(screen.model.fields.password.isEmpty)
    }

    @Test func `has a button that does nothing until the form is complete`() async throws {
        let screen = try await vici()
        #expect(try !screen.button("signIn").enabled)
        try screen.host.type("ada@", into: "signIn.identifier")
        try screen.host.type("x", into: "signIn.password")
        #expect(try !screen.button("signIn").enabled)
        try screen.host.type("ada@example.com", into: "signIn.identifier")
        #expect(try screen.button("signIn").enabled)
    }

    @Test func `tells a wrong password above the button, empties it, and puts the focus there`() async throws {
        let screen = try await vici()
        try screen.type(Self.wrong)
        try screen.host.tap("signIn")
        try await screen.sees(.wrongCredentials)
        #expect(screen.error == AuthTexts.english(.wrongCredentials))
        #expect(try screen.field("signIn.password").value == "")
        #expect(try screen.field("signIn.identifier").value == "ada@example.com")
        #expect(screen.focus == "signIn.password")
        // The person did not empty the field: no message is shown for it.
        #expect(screen.message(at: "signIn.password") == nil)
        #expect(screen.host.announcements == [AuthTexts.english(.wrongCredentials)])
        #expect(!screen.has("retry"))
    }

    @Test func `says while it runs that it does, and takes no second tap`() async throws {
        let screen = try await vici()
        try screen.type(Self.right)
        let point = try await screen.begin("signIn")
        let button = try screen.button("signIn")
        #expect(!button.enabled && button.label == AuthTexts.english(.signInBusy))
        #expect(button.children.map(\.kind) == ["ProgressView"])
        #expect(try !screen.field("signIn.identifier").enabled && !screen.field("signIn.password").enabled)
        #expect(throws: ShimHost.Failure.self) { try screen.host.tap("signIn") }
        try screen.host.submit("signIn.password")
        point.open()
        try await screen.seesContent()
        #expect(screen.sends(.signIn) == 1)
    }

    @Test func `goes on to the password on return, and signs in on the next`() async throws {
        let screen = try await vici()
        try screen.type(Self.right)
        try screen.host.submit("signIn.identifier")
        #expect(screen.focus == "signIn.password")
        try screen.host.submit("signIn.password")
        try await screen.seesContent()
    }

    @Test func `goes on return to what is missing, and says so there`() async throws {
        let screen = try await vici()
        try screen.host.type("x", into: "signIn.password")
        try screen.host.submit("signIn.password")
        #expect(screen.focus == "signIn.identifier")
        #expect(screen.message(at: "signIn.identifier") == AuthTexts.english(.emailMissing))
        #expect(screen.sends(.signIn) == 0)
    }

    @Test func `says what is wrong with an address once the person has left it`() async throws {
        let screen = try await vici()
        try screen.host.type("ada", into: "signIn.identifier")
        #expect(screen.message(at: "signIn.identifier") == nil)
        try screen.host.type("x", into: "signIn.password")
        #expect(screen.message(at: "signIn.identifier") == AuthTexts.english(.emailMalformed))
        #expect(screen.host.has("Text", AuthTexts.english(.emailMalformed)))
    }

    @Test(
        arguments: [
            (.vici, "emailAddress"), (.clarity, "emailAddress"), (.viewvault, "emailAddress"), (.barqnet, "phonePad"),
        ] as [(Contract, String)])
    func `lets the system fill in name and password`(contract: Contract, keyboard: String) async throws {
        let screen = try Screen(contract)
        try await screen.start()
        let (name, password) = (try screen.field("signIn.identifier"), try screen.field("signIn.password"))
        #expect(name.attributes["textContentType"] == "username")
        #expect(name.attributes["autocorrection"] == "off")
        #expect(password.attributes["textContentType"] == "password")
        #expect(password.kind == "SecureField" && password.attributes["privacySensitive"] == "true")
        #if canImport(UIKit)
        #expect(name.attributes["keyboardType"] == keyboard)
        #expect(name.attributes["autocapitalization"] == "never")
        #endif
    }

    @Test func `asks who may stay signed in where the contract has that, and sends it`() async throws {
        let screen = try Screen(.clarity)
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        try await screen.start()
        try screen.type(Self.right)
        try screen.host.tap("signIn.rememberMe")
        #expect(try screen.button("signIn.rememberMe").value == "true")
        try screen.host.tap("signIn")
        try await screen.seesContent()
        #expect(screen.network.calls.first { $0.bodyText.contains("\"remember_me\":true") } != nil)
        #expect(try !Screen(.vici).host.has("Toggle"))
    }

    @Test func `offers to try again where that may help`() async throws {
        let screen = try Screen(.vici, clock: TestClock(skippingSleeps: .seconds(60)))
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        try await screen.start()
        try screen.type(Self.right)
        screen.network.on(.signIn(of: .vici), .offline)
        try screen.host.tap("signIn")
        try await screen.sees(.offline)
        screen.network.removeRules()
        try screen.host.tap("retry")
        try await screen.seesContent()
    }

    @Test func `leads to the registration and back, and takes neither password nor error along`() async throws {
        let screen = try await vici()
        try screen.type(Self.wrong)
        try screen.host.tap("signIn")
        try await screen.sees(.wrongCredentials)
        try screen.host.type("something", into: "signIn.password")
        try screen.host.tap("register-link")
        #expect(screen.host.has("NavigationTitle", AuthTexts.english(.registerTitle)))
        #expect(screen.error == nil)
        #expect(try screen.field("register.password").value == "")
        #expect(try screen.field("register.identifier").value == "ada@example.com")
        try screen.host.type(goodPassword, into: "register.password")
        try screen.host.tap("sign-in-link")
        #expect(screen.host.has("NavigationTitle", AuthTexts.english(.signInTitle)))
        #expect(try screen.field("signIn.password").value == "")
    }

    @Test func `leads to the forgotten password`() async throws {
        let screen = try await vici()
        try screen.host.tap("forgot-link")
        #expect(!screen.has("signIn"))
    }
}
