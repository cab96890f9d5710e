import Foundation
import OstiaryConfiguration
import OstiaryCore
import OstiaryDoctor

extension ResolvedConfiguration {
    /// Returns the files and directories of the server that exist.
    ///
    /// - Parameters:
    ///   - file: The configuration; nil in development without one.
    ///   - backup: The newest backup; nil for none.
    func fileFacts(of file: ConfigurationFile?, backup: String?) -> [FileFacts] {
        var facts: [FileFacts?] = []
        if let file {
            let directory = URL(fileURLWithPath: file.name).deletingLastPathComponent().path
            facts.append(
                FileFacts(
                    path: file.name, role: .configuration, holdsSecrets: configuration.hasSecret(in: file.bytes)))
            facts.append(FileFacts(path: "\(directory)/environment", role: .environment))
        }
        facts.append(FileFacts(path: configuration.dataDirectory, role: .dataDirectory, holdsSecrets: false))
        facts.append(
            FileFacts(path: "\(configuration.dataDirectory)/development-secrets.json", role: .key))
        if let databasePath { facts.append(FileFacts(path: databasePath, role: .database)) }
        if let key = configuration.tls?.key { facts.append(FileFacts(path: key, role: .key)) }
        if let backup { facts.append(FileFacts(path: backup, role: .backup)) }
        return facts.compactMap(\.self)
    }

    /// Returns the space of the volumes that the server and its backups write to.
    func volumeFacts(backups: String?) -> [VolumeFacts] {
        let database = databasePath.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
        var paths = [database ?? configuration.dataDirectory]
        if let backups { paths.append(backups) }
        return paths.compactMap(VolumeFacts.init(path:))
    }
}
