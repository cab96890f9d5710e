import OstiaryEngine
import Testing

@Suite struct LoopbackHostTests {
    @Test(arguments: [
        "localhost", "LOCALHOST", "LocalHost", "127.0.0.1", "127.8.8.8", "::1", "[::1]", "::ffff:127.0.0.1",
        "[::ffff:127.0.0.1]",
    ])
    func `knows this machine by its names`(host: String) { #expect(IPAddress.isLoopback(host: host)) }

    @Test(arguments: [
        "", "[]", "[", "]", "localhost.", "localhost.example.com", "[localhost]", "127.0.0.1.example.com", "127.1",
        "0177.0.0.1", "0x7f.0.0.1", "2130706433", "[127.0.0.1]", "0.0.0.0", "::", "::2", "192.0.2.1", "[::1",
        "::1]", "[[::1]]", "::1%lo", "127.0.0.1:80", "127.0.0.1\0", "localhos\u{74}\u{301}",
    ])
    func `takes no other name for this machine`(host: String) { #expect(!IPAddress.isLoopback(host: host)) }
}
