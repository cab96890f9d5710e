import Foundation

/// A directory of a test's own, removed with the value that stands for it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        // Without symbolic links, which macOS has in the way to its temporary files.
        let parent = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
        let url = parent.appendingPathComponent("ostiary-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func files(in directory: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(directory)").sorted()
    }
}

func mode(of path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int ?? -1
}

func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}
