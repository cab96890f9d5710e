import Testing

@testable import OstiaryClient

#if os(Linux)
struct PlatformTests {
    @Test func `has no keychain here`() { #expect(!Platform.hasKeychain) }
}
#endif
