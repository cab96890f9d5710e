import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// The apps of a server, checked for conflicts with each other.
enum AppList {
    /// - Parameter chosen: The apps that the command line names; empty for all.
    static func read(
        _ root: Section, mode: Mode, idp: ProviderConfiguration?, hasFile: Bool, chosen: [String]
    ) throws(ConfigurationProblem) -> [AppConfiguration] {
        let section = try root.section("apps")
        var names = section.names
        if names.isEmpty {
            guard mode == .development else { throw root.problem("apps", "needs at least one app") }
            names = Contract.presets.map(\.name)
        }
        for name in chosen where !names.contains(name) {
            throw ConfigurationProblem(
                place: .option("--app"), key: "",
                need: "needs one of \(names.joined(separator: ", "))" + suggestion(for: name, among: names))
        }
        let atRoot = !hasFile && chosen.count == 1
        var apps: [AppConfiguration] = []
        for name in names {
            guard let appName = try? AppName(name) else {
                throw section.problem(name, "needs a name of lower-case letters, digits, - and _, at most 64")
            }
            guard appName != .provider else {
                throw section.problem(name, "needs another name: the built-in provider has it")
            }
            guard appName != .server else {
                throw section.problem(name, "needs another name: events of the server have it in the audit log")
            }
            let app = try AppConfiguration(
                appName, section.section(name, mayBeEmpty: true), mode: mode, atRoot: atRoot && name == chosen.first,
                idp: idp)
            if let problem = conflict(of: app, with: apps) { throw section.problem(name, problem) }
            apps.append(app)
        }
        try section.finish()
        return chosen.isEmpty ? apps : apps.filter { chosen.contains($0.name.text) }
    }

    /// Returns the conflict with another app: the same base on a common host, where requests could not be told apart,
    /// or a name with the same environment variables.
    private static func conflict(of app: AppConfiguration, with others: [AppConfiguration]) -> String? {
        for other in others {
            let meet = app.hosts.isEmpty && other.hosts.isEmpty || !Set(app.hosts).isDisjoint(with: other.hosts)
            if meet, app.basePath == other.basePath {
                return "needs another base_path or other hosts than \(other.name), which has \(other.basePath) too"
            }
            if variable(app) == variable(other) {
                return "needs a name that differs from \(other.name) in more than - and _"
            }
        }
        return nil
    }

    private static func variable(_ app: AppConfiguration) -> String { Origin.variable(for: [app.name.text]) }
}
