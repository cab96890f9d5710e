import OstiaryContracts
import OstiaryTesting
import Testing

@testable import Vici

@MainActor struct ViciTests {
    @Test func `opens on the sign-in, signs in, shows its projects, and signs out`() async throws {
        let app = try AppOnScreen(.vici) { Vici.RootView(launch: .ready($0, $1), browser: $2) }
        try app.server.addAccount(email: "ada@example.com", password: goodPassword)
        app.server.route("GET", "/projects") { _ in .json(#"[{"id": 1, "name": "Ostiary"}]"#) }
        try await app.opensOnSignIn()
        try app.signIn("ada@example.com")
        try await app.sees("Ostiary")
        try await app.signsOut()
    }
}
