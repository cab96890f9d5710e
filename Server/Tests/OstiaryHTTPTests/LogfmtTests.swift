import Foundation
import Testing

@testable import OstiaryHTTP

struct LogfmtTests {
    private func line(
        message: String = "request", cause: String? = nil, fields: [(name: String, value: String)] = []
    ) -> String {
        let record = LogRecord(
            at: Date(timeIntervalSince1970: 0), level: "info", logger: "ostiary", message: message, cause: cause,
            fields: fields)
        return String(decoding: record.line(in: .logfmt), as: UTF8.self)
    }

    @Test func `writes pairs of names and values`() {
        #expect(
            line(message: "disk is filling", cause: "Full()", fields: [("app", "vici"), ("ms", "1.25"), ("note", "")])
                == "time=1970-01-01T00:00:00.000Z level=info logger=ostiary message=\"disk is filling\" cause=Full() "
                + "app=vici ms=1.25 note=\"\"\n")
    }

    @Test func `no value looks like a further field`() {
        #expect(
            line(fields: [("agent", "a status=200 \"b\\\n")]).hasSuffix(
                #" agent="a status=200 \"b\\\u000a""# + "\n"))
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("a=b", "a%3Db"), ("a\"", "a%22"), ("a%", "a%25"), ("é", "%C3%A9"), ("a\nlevel", "a%0Alevel"),
        ("", "%"), ("level", "metadata.level"), ("a-b_c.d", "a-b_c.d"),
    ])
    func `no name looks like a further field, or like one of the record's own`(name: String, written: String) {
        #expect(line(fields: [(name, "x")]).hasSuffix(" message=request \(written)=x\n"))
    }

    @Test(arguments: JSONLogHandlerTests.hostile)
    func `writes one line without a character that a terminal obeys`(text: String) {
        let line = line(message: text, cause: text, fields: [(text, text)])
        #expect(line.hasSuffix("\n"))
        for scalar in line.unicodeScalars.dropLast() {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: Issue.record("\(scalar.value) stands bare")
            default: break
            }
        }
    }
}
