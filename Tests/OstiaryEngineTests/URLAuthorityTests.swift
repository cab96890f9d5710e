import OstiaryEngine
import Testing

@Suite struct URLAuthorityTests {
    @Test(
        arguments: [
            ("a.example", "a.example", nil, false), ("a.example:1", "a.example", 1, false),
            ("a.example:65535", "a.example", 65535, false), ("[::1]", "::1", nil, true),
            ("[::1]:443", "::1", 443, true),
            ("127.0.0.1:80", "127.0.0.1", 80, false), ("", "", nil, false),
        ] as [(Substring, String, Int?, Bool)])
    func `reads the host and the port`(text: Substring, host: String, port: Int?, isBracketed: Bool) {
        let authority = URLAuthority(text)
        #expect(authority?.host == host && authority?.port == port && authority?.isBracketed == isBracketed)
    }

    @Test(
        arguments: [
            "a:", "a:0", "a:65536", "a:000001", "a:+1", "a:1x", "[a]", "[127.0.0.1]", "[]", "[::1]:", "[::1]:x",
        ] as [Substring])
    func `refuses another port, and brackets around another text`(text: Substring) {
        #expect(URLAuthority(text) == nil)
    }
}
