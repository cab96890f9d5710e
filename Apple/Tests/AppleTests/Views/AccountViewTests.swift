import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor struct AccountViewTests {
    @Test func `says who is signed in, to eyes and to VoiceOver`() async throws {
        let screen = try await Screen.account()
        #expect(screen.title(.account))
        let person = try #require(screen.host.all.first { $0.attributes["id"] == "person" })
        #expect(person.label == "You are signed in as Ada Lovelace, ada@example.com.")
        #expect(screen.host.has("Text", "Ada Lovelace") && screen.host.has("Text", ada))
    }

    // MARK: Only what the contract offers

    @Test(
        arguments: [
            (.vici, ["name", "password", "sessions", "devices", "deletion"]),
            (.clarity, ["name", "password", "sessions", "devices", "deletion"]),
            (.barqnet, ["name", "password", "sessions", "devices", "deletion"]),
            (.viewvault, ["name", "password", "sessions", "devices", "deletion"]),
            (.timetracker, ["sessions", "devices", "deletion"]),
            (.bare, []),
        ] as [(Contract, [String])])
    func `shows what the contract offers, and nothing else`(contract: Contract, parts: [String]) async throws {
        let actions = ScriptedActions(contract)
        actions.enter(.signedIn(.sample("here"), verified: true))
        let host = ShimHost(NavigationStack { AccountView(AuthViewModel(actions, texts: .english)) })
        func shows(_ id: String) -> Bool { host.all.contains { $0.attributes["id"] == id } }
        #expect(shows("updateProfile.name") == parts.contains("name"))
        #expect(shows("save-name") == parts.contains("name"))
        #expect(shows("change-password") == parts.contains("password"))
        #expect(shows("sessions") == parts.contains("sessions"))
        #expect(shows("devices") == parts.contains("devices"))
        #expect(shows("delete-account") == parts.contains("deletion"))
        #expect(shows("sign-out"))
    }

    // MARK: Name

    @Test func `changes the name, and says so`() async throws {
        let screen = try await Screen.account()
        #expect(try screen.field("updateProfile.name").value == "Ada Lovelace")
        #expect(try !screen.button("save-name").enabled)
        try screen.host.type("Ada King", into: "updateProfile.name")
        try screen.host.tap("save-name")
        try await screen.sees(.profileSaved)
        #expect(screen.server.user(ada)?.fullName?.text == "Ada King")
        #expect(screen.host.has("Text", "Ada King"))
        #expect(try !screen.button("save-name").enabled)
        #expect(screen.host.announcements == [AuthTexts.english(.profileSaved)])
    }

    @Test func `a reload of the user shows the new name, unless the person is typing another`() async throws {
        let screen = try await Screen.account()
        let other = try screen.server.client()
        try await other.signIn(email: ada, password: goodPassword)
        _ = try await other.updateProfile(name: "Ada Byron")
        await screen.model.loadUser()?.value
        try await screen.sees("Ada Byron")
        #expect(try screen.field("updateProfile.name").value == "Ada Byron")
        try screen.host.type("Ada Ki", into: "updateProfile.name")
        _ = try await other.updateProfile(name: "Ada Lovelace")
        await screen.model.loadUser()?.value
        try await screen.sees("Ada Lovelace")
        #expect(try screen.field("updateProfile.name").value == "Ada Ki")
    }

    @Test func `saves no empty name, and none that is as it was`() async throws {
        let screen = try await Screen.account()
        try screen.host.type("  ", into: "updateProfile.name")
        #expect(try !screen.button("save-name").enabled)
        try screen.host.submit("updateProfile.name")
        try screen.host.type(" Ada Lovelace ", into: "updateProfile.name")
        #expect(try !screen.button("save-name").enabled)
        #expect(screen.asked(.updateProfile) == 0)
    }

    // MARK: Password

    @Test func `changes the password, goes back, and says so`() async throws {
        let screen = try await Screen.account()
        try screen.host.tap("change-password")
        #expect(screen.title(.changePassword) && screen.shows(.changePasswordNote))
        try screen.host.type(goodPassword, into: "changePassword.password")
        try screen.host.type("glockenblume am morgen", into: "changePassword.newPassword")
        #expect(screen.shows("strength"))
        try screen.host.tap("changePassword")
        try await screen.titled(.account)
        try await screen.sees(.passwordChanged)
        let other = try screen.server.client()
        try await other.signIn(email: ada, password: "glockenblume am morgen")
    }

    @Test func `goes back again after a second change`() async throws {
        let screen = try await Screen.account()
        for (old, new) in [(goodPassword, "glockenblume am morgen"), ("glockenblume am morgen", "regen und licht")] {
            try screen.host.tap("change-password")
            #expect(screen.title(.changePassword))
            try screen.host.type(old, into: "changePassword.password")
            try screen.host.type(new, into: "changePassword.newPassword")
            try screen.host.tap("changePassword")
            try await screen.titled(.account)
        }
        #expect(screen.asked(.changePassword) == 2)
    }

    @Test func `tells a wrong current password at its field`() async throws {
        let screen = try await Screen.account()
        try screen.host.tap("change-password")
        try screen.host.type("wrong one", into: "changePassword.password")
        try screen.host.type("glockenblume am morgen", into: "changePassword.newPassword")
        try screen.host.tap("changePassword")
        try await screen.sees(.wrongPassword)
        #expect(try screen.field("changePassword.password").attributes["hint"] == AuthTexts.english(.wrongPassword))
        #expect(try screen.field("changePassword.newPassword").value == "glockenblume am morgen")
    }

    @Test func `forgets passwords when the screen is left, and nothing of the account below`() async throws {
        let screen = try await Screen.account()
        try screen.host.tap("change-password")
        try screen.host.type("secret", into: "changePassword.password")
        try screen.host.tap("Back")
        #expect(screen.title(.account))
        try await screen.idle()
        #expect(screen.model.fields.password.isEmpty)
        #expect(try screen.field("updateProfile.name").value == "Ada Lovelace")
    }

    // MARK: Several accounts

    @Test func `goes on as somebody else who is signed in on this device`() async throws {
        let screen = try await Screen.account { $0.keepsSeveralAccounts = true }
        #expect(!screen.shows(.accounts))
        try await screen.enter(as: bob)
        await screen.model.loadAccounts().value
        try await screen.host.wait("both") { screen.host.has("Section", AuthTexts.english(.accounts)) }
        let rows = screen.host.all.filter { $0.attributes["id"]?.hasPrefix("account.") == true }
        #expect(rows.map(\.label) == [ada, bob])
        #expect(rows.allSatisfy { !($0.attributes["id"] ?? "@").contains("@") })
        #expect(rows.map(\.enabled) == [true, false])
        #expect(rows.map { $0.attributes["traits"] } == ["", "selected"])
        try screen.host.tap(try #require(rows[0].attributes["id"]))
        try await screen.sees("Ada Lovelace")
        #expect(try screen.field("updateProfile.name").value == "Ada Lovelace")
    }

    // MARK: Signing out

    @Test func `asks before it signs out`() async throws {
        let screen = try await Screen.account()
        #expect(try screen.button("sign-out").attributes["role"] == "destructive")
        try screen.host.tap("sign-out")
        #expect(screen.alert == AuthTexts.english(.confirmSignOut))
        #expect(screen.shows(.confirmSignOutLead))
        try screen.answer(.cancel)
        #expect(screen.alert == nil && screen.model.isSignedIn)
        #expect(screen.asked(.signOut) == 0)
        try screen.host.tap("sign-out")
        try screen.answer(.signOut)
        try await screen.host.wait("the sign-in") { screen.shows("signIn") }
        try await screen.host.wait("the request") { screen.asked(.signOut) == 1 }
        #expect(screen.model.notices.isEmpty)
    }

    @Test func `says when the server is told of it only later`() async throws {
        let screen = try await Screen.account()
        screen.network.on(.any, .offline)
        try screen.host.tap("sign-out")
        try screen.answer(.signOut)
        try await screen.sees(.revocationPending)
        #expect(screen.shows("signIn"))
        try screen.host.tap("dismiss.sign_out_untold")
        #expect(!screen.shows(.revocationPending))
    }
}

extension Contract {
    /// A contract without any operation other than signing in and out.
    static let bare = Contract(
        name: "bare", rules: AppRules(identifier: .email, refresh: RefreshRules()), prefix: "/bare",
        without: [
            .listSessions, .endSession, .listDevices, .forgetDevice, .updateProfile, .changePassword, .deleteAccount,
            .requestPasswordReset,
            .resetPassword, .register, .confirmRegistration, .listFactors,
        ])
}
