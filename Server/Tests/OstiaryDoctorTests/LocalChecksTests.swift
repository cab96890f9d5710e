import Foundation
import OstiaryDoctor
import Testing

/// The judgements of what a machine shows of itself.
@Suite struct LocalChecksTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let gibibyte = 1 << 30

    // MARK: Configuration and files

    @Test func `a configuration that is refused is an error, and development mode a warning`() {
        #expect(ConfigurationCheck(problem: nil, isDevelopment: false).summary == ["ok ok"])
        #expect(ConfigurationCheck(problem: nil, isDevelopment: true).summary == ["warning development_mode"])
        #expect(
            ConfigurationCheck(problem: "mode: is needed", isDevelopment: false).summary
                == ["error configuration_invalid"])
    }

    @Test func `the redirect URI of each external provider is named, for its app`() {
        let base = "https://auth.example.com"
        let callbacks = [
            CallbackFacts(app: "timetracker", provider: "oidc", url: "\(base)/timetracker/auth/callback"),
            CallbackFacts(app: "vici", provider: "google", url: "\(base)/vici/providers/google/callback"),
        ]
        let findings = CallbackCheck(callbacks: callbacks).findings()
        #expect(findings.summary == ["ok ok", "ok ok"] && findings.map(\.subject) == ["timetracker", "vici"])
        for (finding, callback) in zip(findings, callbacks) {
            #expect(finding.message == "The redirect URI to register at \(callback.provider) is \(callback.url)")
        }
    }

    private static func file(
        _ role: FileFacts.Role, _ mode: Int, isRoots: Bool = false, holdsSecrets: Bool = true
    ) -> FileModesCheck {
        FileModesCheck(
            files: [FileFacts(path: "/f", role: role, mode: mode, isRoots: isRoots, holdsSecrets: holdsSecrets)])
    }

    @Test(arguments: [FileFacts.Role.configuration, .environment, .dataDirectory, .database, .key, .backup])
    func `a file that others can write is an error`(role: FileFacts.Role) {
        #expect(Self.file(role, 0o622, holdsSecrets: false).summary == ["error file_writable"])
        #expect(Self.file(role, 0o600).summary == ["ok ok"])
    }

    @Test func `a file with secrets that others can read is an error`() {
        #expect(Self.file(.configuration, 0o644, holdsSecrets: false).summary == ["ok ok"])
        #expect(Self.file(.configuration, 0o644).summary == ["error file_exposed"])
        #expect(Self.file(.environment, 0o644).summary == ["error file_exposed"])
        #expect(Self.file(.database, 0o640, isRoots: true).summary == ["error file_exposed"])
    }

    @Test func `root's files may be readable by the group of the service`() {
        #expect(Self.file(.key, 0o640, isRoots: true).summary == ["ok ok"])
        #expect(Self.file(.key, 0o640).summary == ["error file_exposed"])
        #expect(Self.file(.key, 0o644, isRoots: true).summary == ["error file_exposed"])
    }

    // MARK: Disk and open files

    private static func volume(
        free: Int, of total: Int = 100 * gibibyte, inodes: Int = 900, outOf totalInodes: Int = 1000
    ) -> DiskSpaceCheck {
        DiskSpaceCheck(volumes: [
            VolumeFacts(path: "/d", freeBytes: free, totalBytes: total, freeInodes: inodes, totalInodes: totalInodes)
        ])
    }

    @Test func `little space is a warning, and hardly any an error`() {
        #expect(Self.volume(free: 50 * Self.gibibyte).summary == ["ok ok"])
        #expect(Self.volume(free: 4 * Self.gibibyte).summary == ["warning disk_low"])
        #expect(Self.volume(free: Self.gibibyte - 1, of: 2 * Self.gibibyte).summary == ["warning disk_low"])
        #expect(Self.volume(free: (100 << 20) - 1).summary == ["error disk_full"])
    }

    @Test func `few inodes are a warning, and hardly any an error`() {
        let free = 50 * Self.gibibyte
        #expect(Self.volume(free: free, inodes: 400, outOf: 10_000).summary == ["warning inodes_low"])
        #expect(Self.volume(free: free, inodes: 99, outOf: 10_000).summary == ["error inodes_exhausted"])
        #expect(Self.volume(free: free, inodes: 0, outOf: 0).summary == ["ok ok"])
    }

    private static func openFiles(limit: Int, used: Int? = nil, connections: Int = 10_000) -> OpenFilesCheck {
        OpenFilesCheck(facts: OpenFileFacts(limit: limit, used: used, isServers: true), connections: connections)
    }

    @Test func `a limit of open files below the configured connections is a warning`() {
        #expect(Self.openFiles(limit: 10_256).summary == ["ok ok"])
        #expect(Self.openFiles(limit: 10_255).summary == ["warning open_files_low"])
        #expect(Self.openFiles(limit: 1024, connections: 500).summary == ["ok ok"])
    }

    @Test func `a server that holds nearly all its files open is an error`() {
        #expect(Self.openFiles(limit: 20_000, used: 18_000).summary == ["ok ok"])
        #expect(Self.openFiles(limit: 20_000, used: 18_001).summary == ["error open_files_exhausted"])
    }

    // MARK: Keys and backups

    @Test func `a signing key older than a year is a warning of its app`() {
        func check(days: Double) -> SigningKeyAgeCheck {
            let key = SigningKeyFacts(app: "clarity", createdAt: Self.now.addingTimeInterval(-days * 86_400))
            return SigningKeyAgeCheck(keys: .value([key]), now: Self.now)
        }
        #expect(check(days: 365).summary == ["ok ok"])
        #expect(check(days: 366).summary == ["warning signing_key_old"])
        #expect(check(days: 366).findings().map(\.subject) == ["clarity"])
        #expect(check(days: -1).summary == ["ok ok"] && check(days: -2.9).summary == ["ok ok"])
        #expect(check(days: -3650).summary == ["warning signing_key_ahead"])
        #expect(SigningKeyAgeCheck(keys: .value([]), now: Self.now).summary == ["ok ok"])
        #expect(SigningKeyAgeCheck(keys: .unknown("No server runs."), now: Self.now).summary == ["skipped skipped"])
    }

    @Test func `an earlier encryption key is reported while it is needed, and when it is needed no more`() {
        func check(_ keys: Int, _ earlier: Int, _ unreadable: Int, isComplete: Bool = true) -> [String] {
            EncryptionKeyCheck(
                facts: .value(
                    EncryptionKeyFacts(
                        keyCount: keys, earlierValues: earlier, unreadableValues: unreadable, isComplete: isComplete))
            ).summary
        }
        #expect(check(1, 0, 0, isComplete: false) == ["ok ok"])
        #expect(check(2, 3, 0) == ["warning earlier_key_in_use"])
        #expect(check(2, 3, 0, isComplete: false) == ["warning earlier_key_in_use"])
        #expect(check(2, 0, 0) == ["warning earlier_key_unused"])
        #expect(check(2, 0, 0, isComplete: false) == ["skipped skipped"])
        #expect(check(2, 0, 1) == ["error unreadable_values"])
        #expect(check(2, 1, 1) == ["error unreadable_values", "warning earlier_key_in_use"])
    }

    @Test func `a backup older than a day and two hours is a warning, and none an error`() {
        func check(hours: Double) -> [String] {
            let backup = BackupFacts(
                path: "/b/1.db", takenAt: Self.now.addingTimeInterval(-hours * 3600), bytes: 4096)
            return BackupAgeCheck(newest: .value(backup), directory: "/b", now: Self.now).summary
        }
        #expect(check(hours: 26) == ["ok ok"])
        #expect(check(hours: 26.1) == ["warning backup_old"])
        #expect(BackupAgeCheck(newest: .value(nil), directory: "/b", now: Self.now).summary == ["error backup_missing"])
        #expect(
            BackupAgeCheck(newest: .unknown("It is no directory."), directory: "/b", now: Self.now).summary
                == ["error backups_unreadable"])
        #expect(BackupAgeCheck(newest: nil, directory: "", now: Self.now).summary == ["skipped skipped"])
    }

    @Test func `counts of one are singular`() {
        func message(hours: Double) -> [String] {
            let backup = BackupFacts(
                path: "/b/1.db", takenAt: Self.now.addingTimeInterval(-hours * 3600), bytes: 4096)
            return BackupAgeCheck(newest: .value(backup), directory: "/b", now: Self.now).findings().map(\.message)
        }
        #expect(message(hours: 1.5).first?.hasPrefix("The newest backup is 1 hour old") == true)
        #expect(message(hours: 2).first?.hasPrefix("The newest backup is 2 hours old") == true)
        let key = SigningKeyFacts(app: "clarity", createdAt: Self.now.addingTimeInterval(-86_400))
        #expect(
            SigningKeyAgeCheck(keys: .value([key]), now: Self.now).findings().map(\.message) == [
                "The oldest signing key in use is 1 day old."
            ])
    }

    // MARK: Report

    @Test func `warnings fail a report only if it is strict, and errors always`() {
        func report(_ check: ConfigurationCheck) -> DoctorReport {
            DoctorReport(version: "1", checkedAt: Self.now, checks: [check])
        }
        let good = report(ConfigurationCheck(problem: nil, isDevelopment: false))
        let doubtful = report(ConfigurationCheck(problem: nil, isDevelopment: true))
        let bad = report(ConfigurationCheck(problem: "x", isDevelopment: false))
        #expect([good, doubtful, bad].map { $0.fails(isStrict: false) } == [false, false, true])
        #expect([good, doubtful, bad].map { $0.fails(isStrict: true) } == [false, true, true])
        #expect([good, doubtful, bad].map(\.status) == [.ok, .warning, .error])
    }

    @Test func `everything that is wrong has a remedy`() {
        let findings = Self.file(.key, 0o666).findings() + Self.volume(free: 0).findings()
        #expect(findings.count == 2)
        #expect(findings.allSatisfy { $0.remedy != nil })
    }
}
