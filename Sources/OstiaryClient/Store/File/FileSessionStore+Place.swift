import Foundation

extension FileSessionStore {
    /// Returns the store of an app for the user of this process, in ``defaultDirectory(environment:homeDirectory:)``,
    /// with the keys of ``SealingKeys/automatic(environment:)``.
    ///
    /// - Parameters:
    ///   - contract: The contract's name.
    ///   - baseURL: The base URL of the server; each contract and base URL has a file of its own.
    public static func standard(contract: String, baseURL: BaseURL) -> FileSessionStore {
        let environment = ProcessInfo.processInfo.environment
        let directory = defaultDirectory(
            environment: environment, homeDirectory: environment["HOME"] ?? NSHomeDirectory())
        return FileSessionStore(
            directory: directory, contract: contract, baseURL: baseURL, keys: .automatic(environment: environment))
    }

    /// Returns `$XDG_STATE_HOME/ostiary`, by default `~/.local/state/ostiary`.
    ///
    /// Source: XDG Base Directory Specification 0.8, by which paths that do not begin with a slash are ignored.
    public static func defaultDirectory(environment: [String: String], homeDirectory: String) -> String {
        let home = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(home ?? "\(homeDirectory)/.local/state")/ostiary"
    }

    /// Returns a file name that is unique to the contract and base URL.
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
