import ArgumentParser
import OstiaryConfiguration
import OstiaryContracts
import OstiaryEngine
import OstiaryHTTP

extension ConfigurationCommand {
    /// The command `ostiary config aasa`.
    struct AppleAssociation: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "aasa",
            abstract: "Prints the apple-app-site-association of a domain whose passkeys the server uses.",
            discussion: """
                Passkeys of apps for Apple's platforms need this file at the domain of `passkeys.rp_id`. The server \
                answers it on its own hosts; any other host serves what this command prints.

                Example:
                  ostiary config aasa --config ostiary.yaml > apple-app-site-association
                """)

        @OptionGroup var store: StoreOptions

        @Option(help: ArgumentHelp("The domain, where apps have passkeys of several.", valueName: "domain"))
        var domain: String?

        func run() async throws {
            let resolved = try store.resolvedConfiguration()
            let domain = domain
            try await StoreOptions.exiting {
                let chosen = try Self.choice(domain, of: resolved)
                let document = resolved.association(of: chosen).document
                try StandardOutput.write(String(decoding: document.bytes, as: UTF8.self) + "\n")
                let place = "https://\(chosen)\(AppleAppAssociation.path)"
                printError(
                    resolved.hosts.contains(chosen)
                        ? "The server answers this itself at \(place)."
                        : "Serve it at \(place) as application/json, without a redirect.")
            }
        }

        private static func choice(
            _ domain: String?, of resolved: ResolvedConfiguration
        ) throws(AdministrationProblem) -> String {
            let domains = resolved.associatedDomains
            guard let domain else {
                guard domains.count <= 1 else {
                    throw AdministrationProblem(
                        "there are several: pass one of \(domains.joined(separator: ", ")) with --domain")
                }
                guard let only = domains.first else {
                    throw AdministrationProblem("no app has passkeys.apple_apps or universal_links")
                }
                return only
            }
            guard domains.contains(domain) else {
                throw AdministrationProblem("no app for Apple's platforms belongs to \(domain)")
            }
            return domain
        }
    }
}

extension AppleAppAssociation {
    init(_ app: AppConfiguration) {
        self.init(
            credentialApps: app.passkeys?.appleApps ?? [],
            links: app.universalLinks.map { [Links(apps: $0.appleApps, paths: $0.paths)] } ?? [])
    }
}

extension ResolvedConfiguration {
    /// The apps with configured passkeys, by their RP ID, in the order of the domains.
    var appsByRelyingPartyID: [(domain: String, apps: [App])] {
        let apps = apps.filter { $0.configuration.passkeys != nil }
        return Dictionary(grouping: apps) { $0.settings.passkeys?.relyingPartyID ?? "" }
            .map { (domain: $0.key, apps: $0.value) }.sorted { $0.domain < $1.domain }
    }

    /// The hosts on which browsers reach the server.
    var hosts: Set<String> { Set(apps.compactMap { host(of: $0) }) }

    /// The domains that apps for Apple's platforms belong to, in their order.
    var associatedDomains: [String] {
        let domains = appsByRelyingPartyID.filter { entry in
            entry.apps.contains { $0.configuration.passkeys?.appleApps.isEmpty == false }
        }.map(\.domain)
        let linked = apps.filter { $0.configuration.universalLinks != nil }.compactMap { host(of: $0) }
        return Set(domains + linked).sorted()
    }

    /// Returns the apps for Apple's platforms that belong to a domain: those of the passkeys of that RP ID, and on a host of
    /// the server the others of its apps.
    func association(of domain: String) -> AppleAppAssociation {
        var association = AppleAppAssociation()
        for app in apps {
            if host(of: app) == domain {
                association.add(AppleAppAssociation(app.configuration))
            } else if let passkeys = app.configuration.passkeys, passkeys.settings.relyingPartyID == domain {
                association.add(AppleAppAssociation(credentialApps: passkeys.appleApps))
            }
        }
        return association
    }

    private func host(of app: App) -> String? {
        let rest = app.baseURL.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).dropFirst().first
        return rest.map { String($0.split(separator: ":").first ?? "") }
    }
}
