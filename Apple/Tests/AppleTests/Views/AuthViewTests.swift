import Foundation
import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

@MainActor struct AuthViewTests {
    private func signedIn() async throws -> Screen {
        let screen = try Screen(.vici)
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        try await screen.start()
        try screen.type(["signIn.identifier": "ada@example.com", "signIn.password": goodPassword])
        try screen.host.tap("signIn")
        try await screen.seesContent()
        return screen
    }

    private func link(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `shows the app's content to whoever is signed in, and nothing else`() async throws {
        let screen = try await signedIn()
        #expect(screen.host.all.map(\.kind) == ["Text"])
    }

    @Test func `shows neither before it knows`() throws {
        let screen = try Screen(.vici)
        screen.model.state = .unknown
        #expect(screen.host.has("ProgressView", AuthTexts.english(.loading)))
        #expect(!screen.has("signIn") && !screen.host.has("Text", Screen.content))
    }

    @Test func `shows nothing of the app while it is locked`() throws {
        let screen = try Screen(.vici)
        screen.model.state = .locked
        #expect(!screen.has("signIn") && !screen.host.has("Text", Screen.content))
    }

    @Test func `goes back to the sign-in with the reason when the server ends the session`() async throws {
        let screen = try await signedIn()
        screen.server.disable("ada@example.com")
        _ = try? await screen.auth.refreshUser()
        try await screen.host.wait("the sign-in") { screen.has("signIn") }
        try await screen.host.wait("the reason") { screen.error != nil }
        let reason = try #require(screen.error)
        #expect([AuthTexts.english(.sessionEnded), AuthTexts.english(.accountDisabled)].contains(reason))
        #expect(screen.host.announcements == [reason])
        #expect(!screen.host.has("Text", Screen.content))
    }

    @Test func `opens the screen that a link names, and fills in what it holds`() async throws {
        let screen = try Screen(.vici)
        try await screen.start()
        screen.host.open(try link("vici://register?email=ada%40example.com"))
        #expect(try screen.field("register.identifier").value == "ada@example.com")
        screen.host.open(try link("vici://sign-in?email=jo%40example.com"))
        #expect(try screen.field("signIn.identifier").value == "jo@example.com")
    }

    @Test(arguments: ["other://register", "vici://delete-everything", "https://vici.example.com/register"])
    func `does nothing for a link that is none of its own`(text: String) async throws {
        let screen = try Screen(.vici)
        try await screen.start()
        screen.host.open(try link(text))
        #expect(screen.has("signIn"))
    }

    @Test func `lets no link interrupt a sign-in that is under way`() async throws {
        let screen = try Screen(.vici)
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        try await screen.start()
        try screen.type(["signIn.identifier": "ada@example.com", "signIn.password": goodPassword])
        let point = try await screen.begin("signIn")
        screen.host.open(try link("vici://register?email=eve%40example.com"))
        #expect(screen.has("signIn") && !screen.has("register"))
        point.open()
        try await screen.seesContent()
    }

    @Test func `ends what runs when it is taken off the screen, and forgets the password`() async throws {
        let screen = try Screen(.vici)
        try await screen.start()
        try screen.type(["signIn.identifier": "ada@example.com", "signIn.password": goodPassword])
        _ = try await screen.begin("signIn")
        screen.host.remove()
        #expect(!screen.model.isLoading)
        #expect(screen.model.fields.password.isEmpty)
    }

    @Test func `moves no focus on a screen that lies underneath`() async throws {
        let screen = try Screen(.vici)
        try await screen.start()
        try screen.host.tap("register-link")
        try screen.type(["register.identifier": "ada@example.com", "register.password": goodPassword])
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        try screen.host.tap("register")
        try await screen.sees(.identifierTaken)
        try screen.host.tap("Back")
        #expect(screen.focus == nil)
    }
}
