import OstiaryCore
import Testing

@testable import OstiaryClient

/// Without this test, a build in which `canImport` found none of the shims would pass by testing nothing.
struct PlatformTests {
    @Test func `has a keychain here`() { #expect(Platform.hasKeychain) }

    @Test func `plays one platform`() {
        #if canImport(UIKit)
        #expect(DeviceInfo.ofThisDevice().platform == "iOS")
        #else
        #expect(DeviceInfo.ofThisDevice().platform == "macOS")
        #endif
    }
}
