import Foundation

/// The owner and the permissions of one file or directory.
package struct FileFacts: Hashable, Sendable {
    package enum Role: Hashable, Sendable {
        case configuration
        /// The file of variables beside the configuration, which `ostiary init` writes.
        case environment
        case dataDirectory
        case database
        case key
        case backup
    }

    package var path: String
    package var role: Role
    /// The permission bits.
    package var mode: Int
    /// `true` if the user root owns it.
    package var isRoots: Bool
    /// `true` if its content has a secret.
    package var holdsSecrets: Bool

    package init(path: String, role: Role, mode: Int, isRoots: Bool, holdsSecrets: Bool) {
        self.path = path
        self.role = role
        self.mode = mode
        self.isRoots = isRoots
        self.holdsSecrets = holdsSecrets
    }

    /// Reads the permissions of a path; nil if there is no such file.
    package init?(path: String, role: Role, holdsSecrets: Bool = true) {
        var information = stat()
        guard stat(path, &information) == 0 else { return nil }
        self.init(
            path: path, role: role, mode: Int(information.st_mode & 0o7777), isRoots: information.st_uid == 0,
            holdsSecrets: holdsSecrets)
    }
}
