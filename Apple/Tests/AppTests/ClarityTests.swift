import OstiaryContracts
import OstiaryTesting
import Testing

@testable import Clarity

@MainActor struct ClarityTests {
    @Test func `opens on the sign-in, signs in, shows its insights, and signs out`() async throws {
        let app = try AppOnScreen(.clarity) { Clarity.RootView(launch: .ready($0, $1), browser: $2) }
        try app.server.addAccount(email: "ada@example.com", password: goodPassword)
        app.server.route("GET", "/insights") { _ in .json(#"[{"id": 1, "text": "You sleep too little."}]"#) }
        try await app.opensOnSignIn()
        try app.signIn("ada@example.com")
        try await app.sees("You sleep too little.")
        try await app.signsOut()
    }
}
