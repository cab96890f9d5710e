import Foundation
package import OstiaryContracts

/// The configuration's reference to an app's contract.
package enum ContractReference: Hashable, Sendable {
    case preset(String)
    case file(path: String)

    /// - Parameter app: The app's name, which names the preset where no contract is configured.
    static func read(_ section: Section, app: String) throws(ConfigurationProblem) -> ContractReference {
        let names = Contract.presets.map(\.name)
        let needs = "needs \(names.joined(separator: ", ")), or the path of a JSON file"
        guard let setting = try section.setting("contract") else {
            guard names.contains(app) else { throw section.problem("contract", needs) }
            return .preset(app)
        }
        let text = try setting.string()
        if names.contains(text) { return .preset(text) }
        guard text.contains("/") || text.hasSuffix(".json") else {
            throw setting.problem("\(needs)\(suggestion(for: text, among: names))")
        }
        let path = section.origin.resolve(text, from: setting.place)
        guard RegularFile.isReadable(path) else {
            throw setting.problem("needs a JSON file that can be read")
        }
        return .file(path: path)
    }

    /// Returns the contract.
    ///
    /// - Parameter key: The configuration key of the reference, for messages.
    /// - Throws: The file's own problem, if the file holds no contract.
    func contract(for key: String) throws(ConfigurationProblem) -> Contract {
        switch self {
        case .preset(let name):
            guard let contract = Contract.preset(name) else {
                throw ConfigurationProblem(place: nil, key: key, need: "there is no preset of that name")
            }
            return contract
        case .file(let path):
            do { return try Contract.read(file: path) } catch {
                throw ConfigurationProblem(place: .file(path, line: nil), key: key, need: error.description)
            }
        }
    }
}

extension ContractReference: CustomStringConvertible {
    /// The reference as it is written in the configuration.
    package var description: String {
        switch self {
        case .preset(let name): name
        case .file(let path): path
        }
    }
}

extension Contract {
    /// Reads a contract from a JSON file.
    ///
    /// - Throws: ``ContractProblem`` for a file that is unreadable or not a contract.
    package static func read(file path: String) throws(ContractProblem) -> Contract {
        guard let file = FileHandle(forReadingAtPath: path) else { throw .invalid("the file cannot be read") }
        defer { try? file.close() }
        // One byte past the limit is enough to detect a file that is too large.
        guard let data = try? file.read(upToCount: maximumFileBytes + 1) ?? Data() else {
            throw .invalid("the file cannot be read")
        }
        return try read(Array(data))
    }
}
