import OstiaryClient
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Testing

@testable import OstiaryUI
@testable import SwiftUI

@MainActor struct DevicesViewTests {
    @Test func `lists the devices, marks this one, and forgets another at a tap`() async throws {
        let screen = try await Screen.account(.clarity)
        let other = try screen.server.client(adjust: {
            $0.device = DeviceInfo(deviceID: "mac", platform: "macOS", osVersion: "15.1", appVersion: "1")
        })
        try await other.signIn(email: ada, password: goodPassword)
        try screen.host.tap("devices")
        #expect(screen.title(.devices))
        func buttons() -> [String] {
            screen.host.all.compactMap { $0.attributes["id"] }.filter { $0.hasPrefix("forget.") }
        }
        try await screen.host.wait("two devices") { buttons().count == 2 && screen.model.running.isEmpty }
        #expect(screen.shows(.thisDevice))
        let mac = try #require(screen.model.devices.first { !$0.isCurrent })
        let button = try screen.button("forget.\(mac.id.text)")
        #expect(button.attributes["role"] == "destructive" && button.label == "Forget device: macOS 15.1")
        try screen.host.tap("forget.\(mac.id.text)")
        try await screen.host.wait("one device") { buttons().count == 1 && screen.model.running.isEmpty }
        #expect(screen.asked(.forgetDevice) == 1)
    }
}
