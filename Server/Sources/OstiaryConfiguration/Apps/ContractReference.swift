import Foundation

/// Which contract an app speaks: one of the presets, or a JSON file.
public enum ContractReference: Hashable, Sendable {
    case preset(Preset)
    case file(path: String)

    public enum Preset: String, CaseIterable, Sendable { case timetracker, vici, clarity, barqnet, viewvault }

    /// - Parameter app: The app's name, which is the preset where no contract is named.
    static func read(_ section: Section, app: String) throws(ConfigurationProblem) -> ContractReference {
        let names = Preset.allCases.map(\.rawValue)
        let needs = "needs \(names.joined(separator: ", ")), or the path of a JSON file"
        guard let setting = try section.setting("contract") else {
            guard let preset = Preset(rawValue: app) else { throw section.problem("contract", needs) }
            return .preset(preset)
        }
        let text = try setting.string()
        if let preset = Preset(rawValue: text) { return .preset(preset) }
        guard text.contains("/") || text.hasSuffix(".json") else { throw setting.problem(needs) }
        let path = section.origin.resolve(text, from: setting.place)
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw setting.problem("needs a JSON file that can be read")
        }
        return .file(path: path)
    }
}

extension ContractReference: CustomStringConvertible {
    /// As it is written in the configuration.
    public var description: String {
        switch self {
        case .preset(let preset): preset.rawValue
        case .file(let path): path
        }
    }
}
