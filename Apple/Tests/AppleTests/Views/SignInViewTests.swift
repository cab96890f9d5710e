import OstiaryClient
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import SwiftUI
import Testing

@testable import OstiaryUI

@MainActor struct SignInViewTests {
    @Test func `signs in and shows the app's own content`() async throws {
        let screen = try Screen(.vici)
        try screen.server.addAccount(email: "ada@example.com", password: goodPassword)
        try await screen.start()
        #expect(try !screen.button("signIn").enabled)
        try screen.host.type("ada@example.com", into: "signIn.identifier")
        #expect(try !screen.button("signIn").enabled)
        try screen.host.type(goodPassword, into: "signIn.password")
        try screen.host.tap("signIn")
        try await screen.seesContent()
        #expect(screen.model.fields.password.isEmpty)
    }
}
