import ArgumentParser
import OstiaryEngine

extension Keys {
    /// The command `ostiary keys rotate-encryption`.
    struct RotateEncryption: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rotate-encryption",
            abstract: "Seals all stored secrets again with the newest encryption key.",
            discussion: """
                First configure the keys of every server, the new one first, and restart: encryption_keys: [NEW, OLD]. With \
                several servers, configure [OLD, NEW] on all of them before that, so that each can open what another seals.

                Servers continue to serve, and no user is signed out. The command can be interrupted at any time, and run \
                again. When it reports no value of an earlier key, remove the old key a day later, after --check has \
                reported none again: links and challenges that were sent before are valid for a day at most.

                The exit status is 1 while a value needs an earlier key, or a key that is not configured.

                Example:
                  ostiary keys rotate-encryption
                  ostiary keys rotate-encryption --check
                """)

        @Flag(help: "Change nothing; only report which keys are in use.") var check = false

        @OptionGroup var store: StoreOptions

        @Flag(help: "Print a JSON array, one kind of value a line.") var json = false

        /// A pass finds the values that were written with the old key during the pass before.
        private static let maximumPasses = 4

        func run() async throws {
            let (check, json) = (check, json)
            let isDone = try await store.administer { control in
                try await cancelledWhenInterrupted {
                    var report = try await SealedValueReport(of: control, reseals: !check)
                    var resealed = report.resealed
                    for _ in 1..<Self.maximumPasses where report.resealed > 0 {
                        report = try await SealedValueReport(of: control, reseals: !check)
                        resealed += report.resealed
                    }
                    try Self.show(report, asJSON: json)
                    Self.explain(report, resealed: resealed, check: check)
                    return report.earlier == 0 && report.unreadable == 0
                }
            }
            guard isDone else { throw ExitCode.failure }
        }

        private static func show(_ report: SealedValueReport, asJSON json: Bool) throws {
            if json {
                var list = JSONList()
                try list.write(report.lines)
                return try list.end()
            }
            var table = Table("SEALED", "NEWEST KEY", "EARLIER KEYS", "UNREADABLE")
            try StandardOutput.write(
                table.lines(
                    report.lines.map { [$0.kind, String($0.current), String($0.earlier), String($0.unreadable)] }))
        }

        private static func explain(_ report: SealedValueReport, resealed: Int, check: Bool) {
            if !check { printError("sealed again: \(resealed)") }
            if report.earlier > 0 {
                printError(
                    check
                        ? "an earlier key is in use: run ostiary keys rotate-encryption"
                        : "an earlier key is still in use: a server seals with it; configure and restart it, and run this again"
                )
            } else {
                printError("no stored value needs an earlier key")
            }
            if report.unreadable > 0 { printError(SealedValueReport.unreadableRemedy) }
        }
    }
}

extension SealedValueReport {
    static let unreadableRemedy =
        "Unreadable values were sealed with a key that is not configured: add it to encryption_keys. Without it they are lost."
}
