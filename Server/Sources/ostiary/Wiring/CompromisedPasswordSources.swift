import OstiaryConfiguration
import OstiaryEngine
import OstiaryIdentities
import Synchronization

/// The lists of compromised passwords that apps share. A file is read and mapped once, and again when it was replaced.
final class CompromisedPasswordSources: Sendable {
    /// The count of questions about compromised passwords that had no answer.
    let failures = CompromisedPasswordFailures()
    private let upstreams: Upstreams
    private let files = Mutex<[String: (version: FileVersion?, list: CompromisedPasswordList)]>([:])

    init(upstreams: Upstreams) { self.upstreams = upstreams }

    /// Returns the list of an app; nil if it has none.
    ///
    /// - Throws: ``ConfigurationProblem`` for a file that is not usable.
    func list(of app: AppConfiguration) throws(ConfigurationProblem) -> (any CompromisedPasswords)? {
        switch app.compromisedPasswords {
        case nil: return nil
        case .url(let url):
            return CompromisedPasswordRange(url: url, client: upstreams.compromisedPasswords, failures: failures)
        case .file(let path):
            let version = FileVersion(path: path)
            if let known = files.withLock({ $0[path] }), known.version == version { return known.list }
            let list = try Self.open(path, of: app)
            files.withLock { $0[path] = (version, list) }
            return list
        }
    }

    /// Opens the file of an app, which reads all of it.
    ///
    /// - Throws: ``ConfigurationProblem`` for a file that is not usable.
    static func open(
        _ path: String, of app: AppConfiguration
    ) throws(ConfigurationProblem) -> CompromisedPasswordList {
        do throws(CompromisedPasswordFileProblem) { return try CompromisedPasswordList(path: path) } catch {
            let need =
                switch error {
                case .unreadable: "needs a file that can be read"
                case .unknownForm: "needs a file of `ostiary passwords prepare-list`"
                case .damaged: "is damaged: its checksum differs"
                }
            throw ConfigurationProblem(place: nil, key: "apps.\(app.name).passwords.compromised.file", need: need)
        }
    }
}
