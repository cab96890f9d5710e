import Foundation
import OstiaryClientTestSupport

@testable import OstiaryClient

extension SampleSessions {
    static var app: StoredApp { get throws { StoredApp(contract: contract, baseURL: try baseURL) } }

    /// The bytes of a golden file.
    static func golden(_ name: String) throws -> [UInt8] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appendingPathComponent("Golden/\(name).json")))
    }
}
