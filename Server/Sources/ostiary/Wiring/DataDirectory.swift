import Crypto
import Foundation
import OstiaryCore
import OstiaryEngine

/// The directory of the files that a server creates: the database, development mode's secrets, the socket for commands.
struct DataDirectory {
    let path: String

    /// Creates the directory, for its owner alone, if it is missing.
    ///
    /// - Throws: `AdministrationProblem` if that is not possible.
    init(making path: String) throws {
        self.path = path
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw AdministrationProblem("the data directory \(path) cannot be created: \(error.localizedDescription)")
        }
    }

    /// `true` if other users can write into the directory: they could replace the database or the socket.
    var isWritableByOthers: Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.posixPermissions] as? NSNumber).map { $0.intValue & 0o022 != 0 } ?? false
    }

    init(existing path: String) { self.path = path }

    var socketPath: String { "\(path)/ostiary.sock" }
    private var secretsPath: String { "\(path)/development-secrets.json" }

    /// Returns the secrets that development mode generates once and stores, so that sessions survive a restart.
    func developmentSecrets(_ system: SystemDependencies) throws -> DevelopmentSecrets {
        if let data = FileManager.default.contents(atPath: secretsPath) {
            guard let secrets = try? JSONDecoder().decode(DevelopmentSecrets.self, from: data) else {
                throw AdministrationProblem(
                    "\(secretsPath) is not a file of development secrets: restore it, or delete it and sign in again")
            }
            return secrets
        }
        let secrets = DevelopmentSecrets(
            encryptionKey: Data(system.randomBytes(32)), tokenSecret: Data(system.randomBytes(32)),
            refreshSecret: Data(system.randomBytes(32)))
        let draft = "\(secretsPath).\(ProcessInfo.processInfo.processIdentifier)"
        let isMade = FileManager.default.createFile(
            atPath: draft, contents: try JSONEncoder().encode(secrets), attributes: [.posixPermissions: 0o600])
        guard isMade, rename(draft, secretsPath) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return secrets
    }
}

struct DevelopmentSecrets: Codable {
    var encryptionKey: Data
    var tokenSecret: Data
    var refreshSecret: Data

    func token(for app: AppName) -> Secret<String> { Self.derive(tokenSecret, app) }
    func refresh(for app: AppName) -> Secret<String> { Self.derive(refreshSecret, app) }

    private static func derive(_ secret: Data, _ app: AppName) -> Secret<String> {
        let code = HMAC<SHA256>.authenticationCode(for: Data(app.text.utf8), using: SymmetricKey(data: secret))
        return Secret(Data(code).base64EncodedString())
    }
}
