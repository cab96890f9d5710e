import Foundation
import OstiaryClient
import Testing
import os

struct SystemLogTests {
    @Test func `a line keeps its text, and its category`() {
        let log = ClientLog.system(subsystem: "test.system-log.text")
        log.notice(.store, "attempts: \(3)")

        #expect(
            ShimLog.lines(of: "test.system-log.text") == [
                ShimLog.Line(subsystem: "test.system-log.text", category: "store", level: .default, text: "attempts: 3")
            ])
    }

    @Test(arguments: [
        (ClientLog.Level.trace, OSLogType.debug), (.debug, .debug), (.info, .info), (.notice, .default),
        (.warning, .error), (.error, .fault),
    ])
    func `a level has its counterpart`(level: ClientLog.Level, type: OSLogType) {
        let subsystem = "test.system-log.\(level)"
        ClientLog.system(subsystem: subsystem, from: .trace).log(level, .session, "done")

        #expect(ShimLog.lines(of: subsystem).map(\.level) == [type])
    }

    @Test func `a client that is told nothing logs to the app's subsystem`() {
        ClientLog.standard.notice(.appLock, "told nothing")

        let lines = ShimLog.lines(of: Bundle.main.bundleIdentifier ?? "ostiary")
        #expect(lines.contains { $0.category == "appLock" && $0.text == "told nothing" })
    }
}
