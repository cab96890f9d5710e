import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor struct DeleteAccountViewTests {
    private func deletion() async throws -> Screen {
        let screen = try await Screen.account()
        try screen.host.tap("delete-account")
        #expect(screen.title(.deleteAccount) && screen.shows(.deleteAccountNote))
        return screen
    }

    @Test func `deletes nothing before the password is typed and the last question answered`() async throws {
        let screen = try await deletion()
        #expect(try !screen.button("deleteAccount").enabled)
        try screen.host.submit("deleteAccount.password")
        #expect(screen.alert == nil)
        try screen.host.type(goodPassword, into: "deleteAccount.password")
        #expect(try screen.button("deleteAccount").attributes["role"] == "destructive")
        try screen.host.tap("deleteAccount")
        #expect(screen.alert == AuthTexts.english(.confirmDeleteAccount))
        #expect(screen.asked(.deleteAccount) == 0)
        try screen.answer(.cancel)
        #expect(screen.asked(.deleteAccount) == 0 && screen.server.user(ada) != nil)
    }

    @Test func `deletes the account, and says so where the person is then`() async throws {
        let screen = try await deletion()
        try screen.host.type(goodPassword, into: "deleteAccount.password")
        try screen.host.submit("deleteAccount.password")
        let button = screen.host.all.filter { $0.kind == "Alert" }.flatMap(\.all)
            .first { $0.label == AuthTexts.english(.deleteForGood) && $0.kind == "Button" }
        #expect(button?.attributes["role"] == "destructive")
        try screen.answer(.deleteForGood)
        try await screen.sees(.accountDeleted)
        #expect(screen.shows("signIn"))
        #expect(screen.server.user(ada) == nil && screen.server.user(bob) != nil)
        #expect(screen.model.fields == AuthFields())
    }

    @Test func `tells a wrong password at its field, and deletes nothing`() async throws {
        let screen = try await deletion()
        try screen.host.type("not it", into: "deleteAccount.password")
        try screen.host.tap("deleteAccount")
        try screen.answer(.deleteForGood)
        try await screen.sees(.wrongPassword)
        let field = try screen.field("deleteAccount.password")
        #expect(field.value == "" && field.attributes["focused"] == "true")
        #expect(screen.server.user(ada) != nil)
    }

    @Test func `says while it runs that it does, and takes no second tap`() async throws {
        let screen = try await deletion()
        let point = HoldingPoint()
        screen.network.on(.operation(.deleteAccount, of: .vici), .pass.held(at: point))
        try screen.host.type(goodPassword, into: "deleteAccount.password")
        try screen.host.tap("deleteAccount")
        try screen.answer(.deleteForGood)
        try await screen.host.wait("the request") { point.arrivals == 1 }
        #expect(screen.shows(.deleteAccountBusy) || screen.host.has("Button", AuthTexts.english(.deleteAccountBusy)))
        #expect(try !screen.button("deleteAccount").enabled)
        point.open()
        try await screen.sees(.accountDeleted)
    }

    // MARK: Accounts without a password

    private func provided() throws -> (ScriptedActions, ShimHost) {
        var user = try #require(User.ada)
        user.authProvider = "google"
        let actions = ScriptedActions(.viewvault)
        actions.enter(.signedIn(.sample("here", user: user), verified: true))
        return (actions, ShimHost(DeleteAccountView(AuthViewModel(actions, texts: .english))))
    }

    @Test func `asks for no password that there is not`() async throws {
        let (actions, host) = try provided()
        #expect(!host.has("SecureField"))
        try host.tap("deleteAccount")
        try host.tap(in: "Alert", AuthTexts.english(.deleteForGood))
        try await host.wait("the deletion") { actions.callNames == ["deleteAccount"] }
        #expect(actions.calls.first?.arguments == ["-"])
    }

    @Test func `asks for it once the server has said that there is one`() async throws {
        let (actions, host) = try provided()
        actions.refuse("deleteAccount", .refused(.invalid(.password, .missing)))
        try host.tap("deleteAccount")
        try host.tap(in: "Alert", AuthTexts.english(.deleteForGood))
        try await host.wait("the field") { host.has("SecureField") }
        #expect(try !host.find(["Button"], "deleteAccount").enabled)
        try host.type(goodPassword, into: "deleteAccount.password")
        try host.tap("deleteAccount")
        try host.tap(in: "Alert", AuthTexts.english(.deleteForGood))
        try await host.wait("the deletion") { actions.calls.last?.arguments == [goodPassword] }
    }
}
