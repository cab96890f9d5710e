import Foundation

/// The text of one configuration file and its name.
package struct ConfigurationFile: Hashable, Sendable {
    /// The largest file that is read, in bytes.
    package static let largestSize = 1_048_576

    /// The name as it was given; messages begin with it.
    package let name: String
    /// The bytes of the file: UTF-8, checked when it is read as YAML.
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    package init(name: String, text: String) {
        self.init(name: name, bytes: Array(text.utf8))
    }

    /// Reads the file that `--config` names, else the one that `OSTIARY_CONFIG` names, else `ostiary.yaml` if it
    /// exists.
    ///
    /// - Returns: Nil if there is no file, which selects development mode.
    /// - Throws: If a file that was named cannot be read.
    package static func find(
        option: String?, environment: [String: String]
    ) throws(ConfigurationProblem) -> ConfigurationFile? {
        if let option { return try open(option, place: .option("--config")) }
        if let named = environment["OSTIARY_CONFIG"] { return try open(named, place: .variable("OSTIARY_CONFIG")) }
        let usual = "ostiary.yaml"
        guard FileManager.default.fileExists(atPath: usual) else { return nil }
        return try open(usual, place: .file(usual, line: nil))
    }

    static func open(
        _ path: String, place: ConfigurationProblem.Place
    ) throws(ConfigurationProblem) -> ConfigurationFile {
        // Without an option or a variable that named it, the file itself is the problem's place.
        let key = place == .file(path, line: nil) ? "" : path
        func problem(_ need: String) -> ConfigurationProblem {
            ConfigurationProblem(place: place, key: key, need: need)
        }

        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw problem("needs to exist: there is no such file, or a folder of its path cannot be entered")
        }
        guard !isDirectory.boolValue else { throw problem("needs to be a file: it is a directory") }
        guard RegularFile.exists(path) else { throw problem("needs to be a regular file: it is a pipe or a device") }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw problem("needs to be readable: this user may not open it")
        }
        defer { try? handle.close() }
        // One byte past the limit is enough to detect a file that is too large.
        guard let data = try? handle.read(upToCount: largestSize + 1) ?? Data() else {
            throw problem("needs to be readable: reading it fails")
        }
        return ConfigurationFile(name: path, bytes: Array(data))
    }

    /// The base directory of the file's relative paths; empty for the working directory.
    var directory: String {
        name.lastIndex(of: "/").map { $0 == name.startIndex ? "/" : String(name[..<$0]) } ?? ""
    }
}
