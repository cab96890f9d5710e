import OstiaryContracts
import OstiaryTesting
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
}
