import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryClient

/// The secret by which accounts recognize the device, kept beside the sessions.
@Suite struct RecognizedDeviceTests {
    private static let email = "jo@example.com"
    private static let password = "correct horse 7 battery"

    @Test(arguments: [Contract.vici, .clarity])
    func `a device keeps its entry through sign-out`(contract: Contract) async throws {
        let server = try TestServer(contract)
        let auth = try server.client()
        try await auth.register(email: Self.email, password: Self.password)
        for _ in 0..<2 {
            _ = try await auth.signOut()
            try await auth.signIn(email: Self.email, password: Self.password)
        }
        let devices = try await auth.recognizedDevices()
        #expect(devices.count == 1 && devices.first?.isCurrent == true)
        try await server.client().signIn(email: Self.email, password: Self.password)
        #expect(try await auth.recognizedDevices().map(\.isCurrent).sorted { !$0 && $1 } == [false, true])
    }

    @Test func `forgets a device, whose session continues`() async throws {
        let server = try TestServer(.vici)
        let auth = try server.client()
        try await auth.register(email: Self.email, password: Self.password)
        let id = try #require(try await auth.recognizedDevices().first?.id)
        try await auth.forgetDevice(id)
        #expect(try await auth.recognizedDevices().isEmpty)
        _ = try await auth.refreshUser()
        await #expect(throws: ClientError.refused(.notFound)) { try await auth.forgetDevice(id) }
    }

    @Test func `a reset and a device link make the device one that the account recognizes`() async throws {
        let server = try TestServer(.vici)
        let auth = try server.client()
        try await server.client().register(email: Self.email, password: Self.password)
        try await auth.requestDeviceLink(for: Self.email)
        try await auth.redeemDeviceLink(token: try #require(server.deviceLinkToken(for: Self.email)))
        try await auth.signIn(email: Self.email, password: Self.password)
        #expect(try await auth.recognizedDevices().map(\.isCurrent).sorted { !$0 && $1 } == [false, true])
        _ = try await auth.signOut()
        server.clock.advance(by: .seconds(60))
        try await auth.requestPasswordReset(email: Self.email)
        let token = try #require(server.resetToken(for: Self.email))
        try await auth.resetPassword(token: token, newPassword: "another horse 7 battery")
        try await auth.signIn(email: Self.email, password: "another horse 7 battery")
        #expect(try await auth.recognizedDevices().map(\.isCurrent) == [true])
    }

    @Test func `a link that was used is refused`() async throws {
        let server = try TestServer(.vici)
        let auth = try server.client()
        try await server.client().register(email: Self.email, password: Self.password)
        try await auth.requestDeviceLink(for: Self.email)
        let token = try #require(server.deviceLinkToken(for: Self.email))
        try await auth.redeemDeviceLink(token: token)
        await #expect(throws: ClientError.refused(.challengeRefused)) { try await auth.redeemDeviceLink(token: token) }
        await #expect(throws: ClientError.refused(.invalid(.email, .malformed))) {
            try await auth.requestDeviceLink(for: "jo")
        }
    }
}
