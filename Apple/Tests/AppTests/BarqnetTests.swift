import OstiaryClient
import OstiaryContracts
import OstiaryTesting
import Testing

@testable import Barqnet

@MainActor struct BarqnetTests {
    @Test func `opens on the sign-in, signs in, shows its servers, and signs out`() async throws {
        let app = try AppOnScreen(.barqnet) { Barqnet.RootView(launch: .ready($0, $1), browser: $2) }
        try app.server.addAccount(phoneNumber: "+15551234567", password: goodPassword)
        app.server.route("GET", "/v1/servers") { _ in
            .json(#"{"success": true, "data": [{"id": 1, "city": "Vienna", "is_online": true}]}"#)
        }
        try await app.opensOnSignIn()
        try app.signIn("+15551234567")
        try await app.sees("Vienna")
        try await app.signsOut()
    }

    @Test func `its pins can be read, and one is in reserve`() throws {
        #expect(try PinSet.ofBarqnet().pins.count == 2)
    }
}
