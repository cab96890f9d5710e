import Logging
import Synchronization
import Testing

@testable import OstiaryHTTP

struct ConsoleLogTests {
    private func written(isColored: Bool = false, _ body: (Logger) -> Void) -> [String] {
        let output = Output()
        body(
            Logger(label: "ostiary") { label in
                LineLogHandler(
                    label: label, options: LogOptions(level: .trace, format: .console(isColored: isColored))
                ) {
                    output.add(String(decoding: $0, as: UTF8.self))
                }
            })
        return output.records
    }

    private final class Output: Sendable {
        private let written = Mutex<[String]>([])
        var records: [String] { written.withLock { $0 } }
        func add(_ record: String) { written.withLock { $0.append(record) } }
    }

    @Test(arguments: JSONLogHandlerTests.hostile)
    func `PT-41: writes one line without a character that a terminal obeys`(text: String) {
        let records = written { $0.info("\(text)", metadata: [text: "\(text)"]) }
        #expect(records.count == 1 && records[0].hasSuffix("\n"))
        for scalar in records[0].unicodeScalars.dropLast() {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: Issue.record("\(scalar.value) stands bare")
            default: break
            }
        }
    }

    @Test func `PT-41: no value looks like a further field`() {
        let record = written { $0.info("x", metadata: ["agent": "a status=200 \"b\\"]) }[0]
        #expect(record.hasSuffix(#" info ostiary: x agent="a status=200 \"b\\""# + "\n"))
    }

    @Test func `PT-41: tells escaped characters from escapes that were in the text`() {
        let bell = written { $0.info("\u{7}") }[0]
        let spelled = written { $0.info("\\u0007") }[0]
        #expect(bell.hasSuffix(": \\u0007\n") && spelled.hasSuffix(": \\\\u0007\n"))
    }

    @Test(arguments: JSONLogHandlerTests.hostile)
    func `writes no escape sequence but those of its colours`(text: String) {
        let record = written(isColored: true) { $0.error("\(text)", metadata: [text: "\(text)"]) }[0]
        let colors = /\u{1B}\[(?:0|2|31)m/
        #expect(record.contains(colors))
        #expect(
            !record.replacing(colors, with: "").dropLast().unicodeScalars.contains {
                $0.value < 0x20 || $0.value == 0x7F
            })
    }

    @Test(arguments: [
        ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
    ])
    func `has no colours where the environment refuses them`(environment: [String: String], allows: Bool) {
        #expect(LogFormat.allowsColor(environment) == allows)
    }

    @Test func `says when, how grave and by whom`() {
        let record = written { $0.warning("disk is filling", metadata: ["app": "vici"]) }[0]
        #expect(
            record.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z warning ostiary: disk is filling app=vici\n/)
                != nil)
    }
}
