import Foundation
public import OstiaryContracts
import OstiaryCore
public import Testing

extension Contract {
    /// Returns the contract that the examples add without a line of Swift.
    static func sixth() throws -> Contract {
        let root = URL(filePath: #filePath).appending(path: "../../../../..")
        let file = root.appending(path: "Examples/SixthContract/orchard.json").standardizedFileURL
        return try read(Array(Data(contentsOf: file)))
    }

    /// The presets and the sixth contract. If that cannot be read, ``SixthContractTests`` fails.
    static let all: [Contract] = presets + [try? sixth()].compactMap(\.self)

    /// The contracts whose users sign in with a password.
    static let withPasswords = all.filter { $0.endpoint(for: .signIn) != nil }
    static let withRefresh = all.filter { $0.endpoint(for: .refresh) != nil }
}

extension Contract: @retroactive CustomTestStringConvertible {
    public var testDescription: String { name }
}
