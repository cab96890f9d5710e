import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

@MainActor struct RegistrationViewTests {
    private func registration(_ contract: Contract, rules: TestServerRules = .standard) async throws -> Screen {
        let screen = try Screen(contract, rules: rules)
        try await screen.start()
        try screen.host.tap("register-link")
        return screen
    }

    private static let ada = ["register.identifier": "ada@example.com", "register.password": goodPassword]

    @Test func `registers with an address, which is the username as well`() async throws {
        let screen = try await registration(.viewvault)
        #expect(try !screen.button("register").enabled)
        try screen.type(Self.ada)
        try screen.host.type("Ada Lovelace", into: "register.name")
        try screen.host.tap("register")
        try await screen.seesContent()
        #expect(screen.server.users.first?.fullName?.text == "Ada Lovelace")
    }

    @Test func `says which fields may stay empty`() async throws {
        let screen = try await registration(.viewvault)
        #expect(try screen.field("register.name").label == "Name (optional)")
        #expect(try screen.field("register.identifier").label == "Username")
    }

    @Test func `lets the system make up a password and remember it`() async throws {
        let screen = try await registration(.viewvault)
        let types = ["identifier": "username", "email": "emailAddress", "password": "newPassword", "name": "name"]
        for (field, type) in types {
            #expect(try screen.field("register.\(field)").attributes["textContentType"] == type)
        }
        #expect(try screen.field("register.password").kind == "SecureField")
        #if canImport(UIKit)
        #expect(try screen.field("register.name").attributes["autocapitalization"] == "words")
        #expect(try screen.field("register.email").attributes["autocapitalization"] == "never")
        #expect(try screen.field("register.email").attributes["keyboardType"] == "emailAddress")
        #endif
    }

    @Test func `tells how strong the password is, and what makes it weak`() async throws {
        let screen = try await registration(.vici)
        #expect(!screen.has("strength"))
        try screen.host.type("password1987", into: "register.password")
        let weak = try #require(screen.host.all.first { $0.attributes["id"] == "strength" })
        #expect(weak.text.contains(AuthTexts.english(.strengthCommonWord)))
        #expect(weak.attributes["element"] == "combine")
        try screen.host.type("donau dampf schiff kapitän", into: "register.password")
        let strong = try #require(screen.host.all.first { $0.attributes["id"] == "strength" })
        #expect(strong.text == "Password strength: Strong")
        #expect(strong.children.first?.value == "5 of 5")
    }

    @Test func `says what is wrong with a password that was left too short`() async throws {
        let screen = try await registration(.vici)
        try screen.host.type("short", into: "register.password")
        try screen.host.type("Ada", into: "register.name")
        #expect(screen.message(at: "register.password") == "Too short: at least 8 characters are needed.")
        #expect(try !screen.button("register").enabled)
    }

    @Test func `tells at the field that there is such an account already`() async throws {
        let screen = try await registration(.vici)
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        try screen.type(Self.ada)
        try screen.host.tap("register")
        try await screen.sees(.identifierTaken)
        #expect(screen.message(at: "register.identifier") == AuthTexts.english(.identifierTaken))
        #expect(screen.focus == "register.identifier")
        #expect(screen.error == nil)
        #expect(screen.host.announcements == [AuthTexts.english(.identifierTaken)])
    }

    @Test func `says while it runs that it does`() async throws {
        let screen = try await registration(.vici)
        try screen.type(Self.ada)
        let point = try await screen.begin("register")
        #expect(try screen.button("register").label == AuthTexts.english(.registerBusy))
        #expect(try !screen.button("register").enabled)
        point.open()
        try await screen.seesContent()
        #expect(screen.sends(.register) == 1)
    }

    @Test func `says that a message finishes it, and leads back`() async throws {
        var rules = TestServerRules.standard
        rules.registersSafely = true
        let screen = try await registration(.vici, rules: rules)
        try screen.type(Self.ada)
        try screen.host.tap("register")
        try await screen.sees(.confirmationSent)
        #expect(!screen.has("register"))
        try screen.host.tap("back-to-sign-in")
        #expect(screen.has("signIn"))
        try screen.host.tap("register-link")
        #expect(screen.has("register"))
    }

    @Test func `goes to the wrong field on return from the last`() async throws {
        let screen = try await registration(.vici)
        try screen.host.type("ada", into: "register.identifier")
        try screen.host.type(goodPassword, into: "register.password")
        try screen.host.submit("register.name")
        #expect(screen.focus == "register.identifier")
        #expect(screen.message(at: "register.identifier") == AuthTexts.english(.emailMalformed))
    }

    @Test func `shows the sign-in to whoever registered and has signed out since`() async throws {
        let screen = try await registration(.vici)
        try screen.type(Self.ada)
        try screen.host.tap("register")
        try await screen.seesContent()
        await screen.model.signOut().value
        try await screen.host.wait("the sign-in") { screen.has("signIn") }
    }
}
