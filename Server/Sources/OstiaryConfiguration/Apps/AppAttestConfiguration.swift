import Foundation
package import OstiaryEngine

/// The verification of the app itself by App Attest.
package struct AppAttestConfiguration: Sendable {
    package var mode: Mode
    /// The team's id: ten characters.
    package var teamID: String
    package var bundleIDs: [String]
    package var environment: AppAttestSettings.Environment
    /// The file with the root certificate; nil for Apple's.
    package var rootFile: String?
    /// The settings of the engine; nil where the mode is ``Mode/off``.
    package var settings: AppAttestSettings?

    package enum Mode: String, CaseIterable, Sendable { case off, monitor, required }

    /// Reads the section of an app; nil if it is absent.
    static func read(_ section: Section) throws(ConfigurationProblem) -> AppAttestConfiguration? {
        let attest = try section.section("app_attest")
        guard attest.isPresent else { return nil }
        let mode = try attest.choice("mode", of: Mode.self) ?? .off
        let team = try attest.required("team_id", "the team's id, ten characters")
        var bundleIDs: [String] = []
        var appIDs: [String] = []
        for setting in try attest.list("bundle_ids") ?? [] {
            let bundleID = try setting.string()
            let appID = "\(try team.string()).\(bundleID)"
            guard AppleApp.isIdentifier(appID) else {
                throw setting.problem("needs a bundle identifier, and the team's ten characters in team_id")
            }
            bundleIDs.append(bundleID)
            appIDs.append(appID)
        }
        guard !bundleIDs.isEmpty else { throw attest.problem("bundle_ids", "needs the bundle identifiers of the app") }
        let environment = try attest.choice("environment", of: AppAttestSettings.Environment.self) ?? .production
        let rootFile = try attest.readableFile("root_file", "the root certificate in PEM")
        try attest.finish()
        let root = try rootFile.map { path throws(ConfigurationProblem) in
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw attest.problem("root_file", "needs a text file in PEM")
            }
            return text
        }
        guard
            let settings = AppAttestSettings(
                mode: mode == .required ? .required : .monitor, appIDs: appIDs, environment: environment,
                rootCertificate: root)
        else {
            throw attest.problem("root_file", "needs one root certificate in PEM, with an ECDSA key on P-256 or P-384")
        }
        return AppAttestConfiguration(
            mode: mode, teamID: try team.string(), bundleIDs: bundleIDs, environment: environment, rootFile: rootFile,
            settings: mode == .off ? nil : settings)
    }

    func show(in outline: inout Outline) {
        outline.add("mode", mode.rawValue)
        outline.add("team_id", teamID)
        outline.add("bundle_ids", bundleIDs)
        outline.add("environment", environment.rawValue)
        if let rootFile { outline.add("root_file", path: rootFile) }
    }
}
