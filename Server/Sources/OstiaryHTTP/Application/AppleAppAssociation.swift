package import OstiaryContracts
import OstiaryServerPaths

/// The file by which a domain names its apps for Apple's platforms. Source: Apple, Supporting associated domains.
package struct AppleAppAssociation: Hashable, Sendable {
    /// The path of the file on every host.
    package static let path = ServerPath.association.rawValue

    /// The apps that share passkeys and passwords with the domain: `TEAM.BUNDLE`.
    package var credentialApps: [String]
    /// The links that open apps.
    package var links: [Links]

    /// Links that open apps.
    package struct Links: Hashable, Sendable {
        package var apps: [String]
        /// Patterns of paths.
        package var paths: [String]

        package init(apps: [String], paths: [String]) {
            self.apps = apps
            self.paths = paths
        }
    }

    package init(credentialApps: [String] = [], links: [Links] = []) {
        self.credentialApps = credentialApps
        self.links = links
    }

    package var isEmpty: Bool { credentialApps.isEmpty && links.isEmpty }

    /// Adds the apps of another app of the server on the same host.
    package mutating func add(_ other: AppleAppAssociation) {
        credentialApps += other.credentialApps
        links += other.links.filter { !links.contains($0) }
    }

    /// The content of the file.
    package var document: JSON {
        var members: [JSON.Member] = []
        if !links.isEmpty {
            let details = links.map { link -> JSON in
                [
                    "appIDs": .array(link.apps.map { .string($0) }),
                    "components": .array(link.paths.map { ["/": .string($0)] }),
                ]
            }
            members.append(JSON.Member("applinks", ["details": .array(details)]))
        }
        if !credentialApps.isEmpty {
            let apps = Set(credentialApps).sorted().map { JSON.string($0) }
            members.append(JSON.Member("webcredentials", ["apps": .array(apps)]))
        }
        return .object(members)
    }
}
