import Foundation

extension FileSessionStore {
    /// The store of an app for whoever runs this program, in ``defaultDirectory(environment:homeDirectory:)``, sealed as
    /// ``SealingKeys/automatic(environment:)`` says.
    ///
    /// - Parameter contract: The contract's name.
    public static func standard(contract: String, baseURL: BaseURL) -> FileSessionStore {
        let environment = ProcessInfo.processInfo.environment
        let directory = defaultDirectory(
            environment: environment, homeDirectory: environment["HOME"] ?? NSHomeDirectory())
        return FileSessionStore(
            directory: directory, contract: contract, baseURL: baseURL, keys: .automatic(environment: environment))
    }

    /// `$XDG_STATE_HOME/ostiary`, by default `~/.local/state/ostiary`.
    ///
    /// Source: XDG Base Directory Specification 0.8, which has paths that do not begin with a slash ignored.
    public static func defaultDirectory(environment: [String: String], homeDirectory: String) -> String {
        let home = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(home ?? "\(homeDirectory)/.local/state")/ostiary"
    }

    /// A file name for each contract and base URL, never the same for two.
    static func fileName(contract: String, baseURL: BaseURL) -> String {
        let escaped = "\(contract)@\(baseURL.text)".utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
                || "@.-".utf8.contains(byte)
            return isPlain ? String(Unicode.Scalar(byte)) : "_\(String(byte, radix: 16))"
        }
        return escaped.joined() + ".json"
    }
}
