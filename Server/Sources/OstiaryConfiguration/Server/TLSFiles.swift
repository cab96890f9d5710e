#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The two PEM files of the server's TLS certificate. A reload reads both again.
package struct TLSFiles: Hashable, Sendable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// `true` if users other than the key's owner, or than root's group where root owns it, may read or change the
    /// key's file.
    ///
    /// Source: PostgreSQL documentation, 19.9.1 (the same rule for its server key).
    package var isKeyExposed: Bool {
        var status = stat()
        guard stat(key, &status) == 0 else { return false }
        let others = mode_t(status.st_uid == 0 ? 0o037 : 0o077)
        return status.st_mode & others != 0
    }

    static func read(_ section: Section) throws(ConfigurationProblem) -> TLSFiles? {
        guard section.isPresent else { return nil }
        let files = TLSFiles(
            certificate: try readable("certificate", in: section), key: try readable("key", in: section))
        try section.finish()
        return files
    }

    private static func readable(_ name: String, in section: Section) throws(ConfigurationProblem) -> String {
        guard let path = try section.readableFile(name, "a PEM file") else {
            throw section.problem(name, "needs a PEM file")
        }
        return path
    }
}
