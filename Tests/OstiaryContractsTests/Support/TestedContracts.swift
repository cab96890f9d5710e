import Foundation
public import OstiaryContracts
public import Testing

/// The five presets and a sixth contract that exists as a JSON file only.
enum Tested {
    static let contracts: [Contract] = Contract.presets + [sixth].compactMap(\.self)
    /// By the contract's name.
    static let codecs = Dictionary(
        contracts.compactMap { contract in (try? Codec(contract)).map { (contract.name, $0) } },
        uniquingKeysWith: { first, _ in first })
    static let sixth = try? Contract.read(sixthFile())

    static func sixthFile() throws -> [UInt8] {
        let file = root.appending(path: "Examples/SixthContract/orchard.json")
        return [UInt8](try Data(contentsOf: file))
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    static let root = folder.deletingLastPathComponent().deletingLastPathComponent()
}

extension Contract: CustomTestStringConvertible {
    public var testDescription: String { name }
}

extension String {
    /// A text as UTF-8.
    var bytes: [UInt8] { Array(utf8) }
}
