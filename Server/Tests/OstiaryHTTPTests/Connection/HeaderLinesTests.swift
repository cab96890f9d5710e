import Testing

@testable import OstiaryHTTP

/// Headers of answers, whose names and values cannot add another header.
struct HeaderLinesTests {
    private func text(_ name: String, _ value: String) -> String {
        String(decoding: HeaderLines([(name, value)]).bytes, as: UTF8.self)
    }

    @Test func `writes a header as it is`() {
        #expect(text("Content-Type", "text/html; charset=utf-8") == "Content-Type: text/html; charset=utf-8\r\n")
        #expect(text("x-auth-user", "J\u{F6}\tJo") == "x-auth-user: J\u{F6}\tJo\r\n")
        #expect(text("x", "") == "x: \r\n")
    }

    /// Control characters at each offset of a value, since eight bytes are checked at a time.
    @Test(arguments: ["\r", "\n", "\r\n", "\0", "\u{B}", "\u{1B}", "\u{7F}"], 0..<20)
    func `replaces control characters in a value`(control: String, offset: Int) {
        let (start, end) = (String(repeating: "a", count: offset + 1), String(repeating: "b", count: 20 - offset))
        let blanks = String(repeating: " ", count: control.utf8.count)
        #expect(text("location", "\(start)\(control)\(end)") == "location: \(start)\(blanks)\(end)\r\n")
    }

    @Test func `removes white space at the ends of a value`() {
        #expect(text("location", " \r\n/a \t\n") == "location: /a\r\n")
        #expect(text("location", "\r\n") == "location: \r\n")
    }

    @Test(arguments: ["", "a b", "a:", "a\r\nb", "a\0", "\u{E9}", "(a)", " a", "set-cookie\r\nx"])
    func `leaves out a header whose name is no token`(name: String) {
        #expect(text(name, "b") == "")
    }

    @Test(arguments: [
        "content-length", "Content-Length", "transfer-encoding", "TRANSFER-ENCODING", "connection", "keep-alive",
        "upgrade",
    ])
    func `leaves the framing to the connection`(name: String) {
        #expect(text(name, "5") == "")
    }
}
