import Foundation
import Logging
import OstiaryContracts
import Synchronization
import Testing

@testable import OstiaryHTTP

struct JSONLogHandlerTests {
    /// The written output, one element per record.
    private final class Output: Sendable {
        private let written = Mutex<[[UInt8]]>([])
        var records: [[UInt8]] { written.withLock { $0 } }

        func logger(level: Logger.Level = .trace) -> Logger {
            Logger(label: "ostiary") { label in
                LineLogHandler(label: label, options: LogOptions(level: level, format: .json)) { record in
                    self.written.withLock { $0.append(record) }
                }
            }
        }
    }

    private func written(level: Logger.Level = .trace, _ body: (Logger) -> Void) -> [[UInt8]] {
        let output = Output()
        body(output.logger(level: level))
        return output.records
    }

    static let hostile = [
        "a\r\nb", "a\nlevel=error", "\u{1B}[31mred\u{1B}[0m", "\u{9B}31m", "a\u{2028}b\u{2029}c\u{85}d",
        "\"},{\"x\":\"",
        "\\", "\u{0}", "\u{202E}txt.exe", "\u{FEFF}", "日本語 😀 e\u{301}", "\u{7F}", "\u{E0001}", "\u{FFFD}", "",
    ]

    @Test(arguments: hostile) func `writes one line of JSON whatever the message holds`(text: String) throws {
        let records = written { $0.info("\(text)") }
        #expect(records.count == 1)
        #expect(try JSON.read(records[0].dropLast())["message"] == .string(text))
    }

    @Test(arguments: hostile) func `writes one line of JSON whatever a value holds`(text: String) throws {
        let records = written { $0.info("x", metadata: ["agent": "\(text)"]) }
        #expect(try JSON.read(records[0].dropLast())["agent"] == .string(text))
    }

    @Test(arguments: hostile) func `writes one line of JSON whatever a name holds`(text: String) throws {
        let records = written { $0.info("x", metadata: [text: "y"]) }
        #expect(try JSON.read(records[0].dropLast())[text] == "y")
    }

    /// Each byte at each offset of a word, since eight bytes are checked at a time.
    @Test func `takes for plain what JSON has as it is, and nothing else`() {
        for byte in UInt8.min ... .max {
            let escaped = JSON.string(String(UnicodeScalar(byte))).bytes
            let isPlain = byte < 0x7F && escaped == [0x22, byte, 0x22]
            for offset in 0..<19 {
                var bytes = [UInt8](repeating: 0x61, count: 19)
                bytes[offset] = byte
                #expect(bytes.withUnsafeBytes { ASCII.isPlainJSON($0) } == isPlain, "\(byte) at \(offset)")
            }
        }
    }

    @Test(arguments: hostile) func `ends no line before its end, for any reader, and moves no cursor`(text: String) {
        let records = written { $0.info("\(text)", metadata: [text: "\(text)"]) }
        let line = String(decoding: records[0], as: UTF8.self)
        #expect(line.hasSuffix("}\n"))
        for scalar in line.unicodeScalars.dropLast() {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: Issue.record("\(scalar.value) stands bare")
            default: break
            }
        }
    }

    @Test func `says when, how grave and by whom`() throws {
        let record = try JSON.read(written { $0.warning("disk is filling") }[0].dropLast())
        #expect(record["level"] == "warning")
        #expect(record["logger"] == "ostiary")
        #expect(record["message"] == "disk is filling")
        guard case .string(let time) = record["time"] else {
            Issue.record("no time")
            return
        }
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
    }

    @Test func `says what went wrong`() throws {
        struct Broken: Error {}
        let record = try JSON.read(written { $0.error("x", error: Broken()) }[0].dropLast())
        #expect(record["cause"] == "Broken()")
    }

    @Test(arguments: ["time", "level", "logger", "message"])
    func `keeps its own names from values of the same name`(name: String) throws {
        let record = try JSON.read(written { $0.info("x", metadata: [name: "forged"]) }[0].dropLast())
        #expect(record[name] != "forged")
        #expect(record["metadata.\(name)"] == "forged")
    }

    @Test func `prefers a record's value to the logger's`() throws {
        let records = written { logger in
            var logger = logger
            logger[metadataKey: "app"] = "vici"
            logger.info("x")
            logger.info("x", metadata: ["app": "clarity"])
        }
        #expect(try records.map { try JSON.read($0.dropLast())["app"] } == ["vici", "clarity"])
    }

    @Test func `writes nothing below its level`() {
        let records = written(level: .warning) { logger in
            logger.info("x")
            logger.warning("y")
        }
        #expect(records.count == 1)
    }

    @Test func `keeps records of many threads apart`() async throws {
        let output = Output()
        let logger = output.logger()
        await withTaskGroup { group in
            for number in 0..<100 { group.addTask { logger.info("\(number)") } }
        }
        let messages = try output.records.map { try JSON.read($0.dropLast())["message"] }
        #expect(Set(messages) == Set((0..<100).map { .string("\($0)") }))
    }
}
