import Foundation
import OstiaryClientTestSupport

extension SampleSessions {
    /// The bytes of a golden file.
    static func golden(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appendingPathComponent("Golden/\(name).json")))
    }
}
