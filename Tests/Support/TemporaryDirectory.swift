import Foundation

/// A directory for one test, removed when this value is released.
public final class TemporaryDirectory: Sendable {
    public let path: String

    public init() throws {
        // Symbolic links are resolved: the path of macOS's temporary files contains one.
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        let url = parent.appendingPathComponent("ostiary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    public func files(in directory: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(directory)").sorted()
    }
}

public func mode(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
}

public func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}
