import Foundation

/// Files with secrets are closed to other users.
package struct FileModesCheck: DoctorCheck {
    package static let name = "files"

    private static let writers = 0o022

    let files: [FileFacts]

    package init(files: [FileFacts]) { self.files = files }

    package func findings() -> [DoctorFinding] {
        guard !files.isEmpty else { return [skipped("There is no configuration, data directory or key yet.")] }
        let problems = files.compactMap(problem)
        return problems.isEmpty
            ? [ok("No other user can change the configuration or read its secrets (\(files.count.counting("file"))).")]
            : problems
    }

    private func problem(_ file: FileFacts) -> DoctorFinding? {
        let mode = String(file.mode, radix: 8)
        if file.mode & Self.writers != 0 {
            return error(
                "file_writable", "Other users can change it: its mode is \(mode).", subject: file.path,
                remedy: "Run chmod \(file.role == .dataDirectory ? "go-w" : "go-rwx") on it.")
        }
        guard file.holdsSecrets, file.mode & readers(file) != 0 else { return nil }
        return error(
            "file_exposed", "It holds secrets that other users can read: its mode is \(mode).", subject: file.path,
            remedy: file.role == .configuration
                ? "Put the secrets into variables, as ostiary init does, or run chmod o-r and give the file to the service's group."
                : "Run chmod go-rwx on it, and change its secrets if another user may have read them.")
    }

    /// The bits of users that are not meant. Root's files reach a service through its group.
    private func readers(_ file: FileFacts) -> Int {
        switch file.role {
        case .dataDirectory: 0
        case .configuration, .environment, .key: file.isRoots ? 0o004 : 0o044
        case .database, .backup: 0o044
        }
    }
}
