import OstiaryCore
import Testing

@testable import OstiaryClient

/// Without this, a build in which `canImport` saw none of the stand-ins would pass by testing nothing.
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
