import ArgumentParser
import Foundation
import OstiaryConfiguration
import OstiaryDoctor
import OstiaryEngine

/// The command `ostiary doctor`.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks a deployment from inside and outside, and names a remedy for what is wrong.",
        discussion: """
            The server may be running or not. Nothing is changed, and no secret is printed. What cannot be checked here is \
            skipped, with the reason. The exit status is 1 if there is an error.

            Example:
              ostiary doctor --config /etc/ostiary/ostiary.yaml --data /var/lib/ostiary --backups /var/lib/ostiary/backups
              ostiary doctor --json --strict
            """)

    @OptionGroup var store: StoreOptions

    @Option(help: ArgumentHelp("The directory of backups, to check the age of the newest.", valueName: "dir"))
    var backups: String?

    @Flag(help: "The exit status is 1 for warnings too.") var strict = false

    @Flag(help: "Print one JSON document.") var json = false

    func run() async throws {
        let report = await report()
        try await StoreOptions.exiting {
            if json {
                try StandardOutput.write(JSONList.line(report) + "\n")
            } else {
                try StandardOutput.write(report.text)
            }
        }
        if report.fails(isStrict: strict) { throw ExitCode.failure }
    }

    private func report() async -> DoctorReport {
        let system = SystemDependencies.system
        let checks: [any DoctorCheck]
        do throws(ConfigurationProblem) {
            let (file, resolved) = try store.readConfiguration()
            checks = await DoctorExamination(
                resolved: resolved, file: file, backups: backups, system: system
            ).checks()
        } catch {
            checks = [ConfigurationCheck(problem: error.description, isDevelopment: false)]
        }
        return DoctorReport(version: Version.current, checkedAt: system.now(), checks: checks)
    }
}
