import ArgumentParser
import Foundation
import OstiaryConfiguration
import OstiaryDoctor
import OstiaryEngine
import OstiaryNIO

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

    @Option(
        help: ArgumentHelp(
            "Trust these roots, in PEM, instead of the system's, for the public URLs alone.", valueName: "file"))
    var ca: String?

    @Option(
        help: ArgumentHelp(
            "The only name server to ask for SPF, DKIM and DMARC, an IPv4 address. Default: the system's.",
            valueName: "address[:port]"))
    var resolver: String?

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "The name before ._domainkey that the mail provider signs with. May be repeated.", valueName: "name"))
    var dkimSelector: [String] = []

    @Flag(help: "Connect to nothing but the store: no public URL, mail server or name server.") var offline = false

    @Flag(help: "The exit status is 1 for warnings too.") var strict = false

    @Flag(help: "Print one JSON document.") var json = false

    func validate() throws {
        guard NameServerProbe(server: resolver) != nil else {
            throw ValidationError("--resolver is an IPv4 address, or one with a port")
        }
    }

    func run() async throws {
        let trusted = try roots()
        let report = await report(roots: trusted)
        try await StoreOptions.exiting {
            if json {
                try StandardOutput.write(JSONList.line(report) + "\n")
            } else {
                try StandardOutput.write(report.text)
            }
        }
        if report.fails(isStrict: strict) { throw ExitCode.failure }
    }

    /// - Throws: Exit status 1 after one line that says what is wrong with the file.
    private func roots() throws -> (path: String, roots: TrustRoots)? {
        guard let ca else { return nil }
        do { return (ca, try TrustRoots(pem: Data(contentsOf: URL(fileURLWithPath: ca)))) } catch {
            printError("\(ca): \((error as? TrustRootsProblem)?.description ?? "cannot be read")")
            throw ExitCode.failure
        }
    }

    private func report(roots: (path: String, roots: TrustRoots)?) async -> DoctorReport {
        let system = SystemDependencies.system
        let checks: [any DoctorCheck]
        do throws(ConfigurationProblem) {
            let (file, resolved) = try store.readConfiguration()
            checks = await DoctorExamination(
                resolved: resolved, file: file, backups: backups, roots: roots,
                nameServers: NameServerProbe(server: resolver), selectors: dkimSelector, isOffline: offline,
                system: system
            ).checks()
        } catch {
            checks = [ConfigurationCheck(problem: error.description, isDevelopment: false)]
        }
        return DoctorReport(version: Version.current, checkedAt: system.now(), checks: checks)
    }
}
