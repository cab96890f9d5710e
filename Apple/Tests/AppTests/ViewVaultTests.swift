import OstiaryContracts
import OstiaryTesting
import SwiftUI
import Testing

@testable import ViewVault

@MainActor struct ViewVaultTests {
    @Test func `opens on the sign-in, signs in, shows its videos, and signs out`() async throws {
        let app = try AppOnScreen(.viewvault) { ViewVault.RootView(launch: .ready($0, $1), browser: $2) }
        try app.server.addAccount(email: "ada@example.com", username: "ada", password: goodPassword)
        app.server.route("GET", "/api/videos") { _ in .json(#"[{"id": 1, "title": "Holidays"}]"#) }
        try await app.opensOnSignIn()
        try app.signIn("ada")
        try await app.sees("Holidays")
        try await app.signsOut()
    }

    private func opened() async throws -> AppOnScreen {
        let app = try AppOnScreen(.viewvault) { ViewVault.RootView(launch: .ready($0, $1), browser: $2) }
        app.server.route("GET", "/api/videos") { _ in .json(#"[{"id": 1, "title": "Holidays"}]"#) }
        try await app.opensOnSignIn()
        return app
    }

    @Test
    func `viewvault R5: login screen: Google and GitHub buttons, username and password fields, link to registration`()
        async throws
    {
        let app = try await opened()
        for id in ["sign-in-google", "sign-in-github", "register-link"] {
            #expect(try app.host.find(["Button"], id).enabled, "\(id)")
        }
        for id in ["signIn.identifier", "signIn.password"] {
            #expect(try app.host.find(["TextField", "SecureField"], id).enabled, "\(id)")
        }
    }

    @Test(arguments: ["google", "github"])
    func `viewvault R5: signs in at the provider of the button`(_ provider: String) async throws {
        let app = try await opened()
        try app.host.tap("sign-in-\(provider)")
        try await app.sees("Holidays")
        #expect(app.browser.pages.count == 1)
    }

    @Test func `viewvault R5: clear errors`() async throws {
        let app = try await opened()
        try app.signIn("ada")
        try await app.sees("The username or the password is not correct. Check both and try again.")
    }

    @Test
    func
        `viewvault R5: registration screen: username and email validated, minimum password, full name optional, link back`()
        async throws
    {
        let app = try await opened()
        try app.host.tap("register-link")
        try app.host.type("ada", into: "register.identifier")
        try app.host.type("ada@", into: "register.email")
        try app.host.type("1234567", into: "register.password")
        #expect(try !app.host.find(["Button"], "register").enabled)
        try app.host.type("ada@example.com", into: "register.email")
        #expect(try !app.host.find(["Button"], "register").enabled)
        try app.host.type(goodPassword, into: "register.password")
        #expect(try app.host.find(["TextField"], "register.name").enabled)
        #expect(try app.host.find(["Button"], "sign-in-link").enabled)
        try app.host.tap("register")
        try await app.sees("Holidays")
    }
}
