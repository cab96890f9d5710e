import Foundation

extension ChildProcess {
    /// A Python script of this folder, with the packages that tests have.
    public convenience init(script: String, of file: String = #filePath, _ arguments: [String] = []) throws {
        let url = URL(filePath: file).deletingLastPathComponent().appending(path: script).standardized
        try self.init(
            ProcessInfo.processInfo.environment["OSTIARY_TEST_PYTHON"] ?? "python3",
            [url.path(percentEncoded: false)] + arguments)
    }
}
