public import Foundation
import OstiaryCore

/// A service key that is to be created, as an administrator describes it.
public struct NewServiceKey: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The rights, by their names such as `accounts:read`.
    public var scopes: [String]
    /// The names of the apps within reach; empty for every app but the built-in provider's.
    public var apps: [String]
    /// The networks that requests may come from, as addresses or in CIDR notation; empty for any.
    public var networks: [String]
    /// The time from which the key is refused; `nil` for none.
    public var expiresAt: Date?

    /// Creates a description from its parts.
    public init(
        name: String, scopes: [String], apps: [String] = [], networks: [String] = [], expiresAt: Date? = nil
    ) {
        self.name = name
        self.scopes = scopes
        self.apps = apps
        self.networks = networks
        self.expiresAt = expiresAt
    }
}

extension NewServiceKey {
    private static let maximumApps = 100
    private static let maximumNetworks = 100
    /// The longest lifetime of a key that expires: ten years.
    private static let maximumDays = 3653

    /// Returns the key to be stored.
    ///
    /// - Parameter known: The names of the apps of the server.
    /// - Throws: ``AdministrationProblem`` that points at the field.
    func key(
        id: ServiceKeyID, hash: [UInt8], known: [AppName], now: Date
    ) throws(AdministrationProblem) -> ServiceKey {
        var problems = FieldProblems()
        let name = problems.collect(try readName()) ?? ""
        if let expiresAt { problems.collect(try Self.check(expiresAt, now)) }
        let scopes = problems.collect(try readScopes()) ?? []
        let apps = problems.collect(try readApps(known)) ?? []
        let networks = problems.collect(try readNetworks()) ?? []
        try problems.require()
        return ServiceKey(
            id: id, name: name, hash: hash, scopes: scopes, apps: apps, networks: networks, createdAt: now.asStored,
            expiresAt: expiresAt?.asStored)
    }

    private func readName() throws(AdministrationProblem) -> String {
        do { return try FactorName(name).text } catch {
            throw .invalid("name", "name_\(error.code)", "name: needs 1 to \(FactorName.maximumScalars) characters")
        }
    }

    private static func check(_ expiresAt: Date, _ now: Date) throws(AdministrationProblem) {
        let seconds = expiresAt.timeIntervalSince(now)
        // Also what is not a number.
        guard seconds > 0 else {
            throw .invalid("expires_at", "expires_at_past", "expires_at: must be in the future")
        }
        guard seconds <= Double(maximumDays) * 86_400 else {
            throw .invalid(
                "expires_at", "expires_at_too_late",
                "expires_at: at most \(maximumDays) days from now; a key without one does not expire")
        }
    }

    private func readScopes() throws(AdministrationProblem) -> [AdministrationScope] {
        guard !scopes.isEmpty else {
            throw .invalid("scopes", "scopes_missing", "scopes: at least one is needed: \(Self.allScopes)")
        }
        var found: Set<AdministrationScope> = []
        for (index, text) in scopes.enumerated() {
            // Matched by bytes: text from outside is not compared as String.
            guard let scope = AdministrationScope.allCases.first(where: { $0.rawValue.utf8.elementsEqual(text.utf8) })
            else {
                throw .invalid(
                    "scopes/\(index)", "scope_unknown",
                    "scopes: there is no \(AdministrationProblem.shown(text)), but \(Self.allScopes)")
            }
            found.insert(scope)
        }
        return AdministrationScope.allCases.filter(found.contains)
    }

    private static var allScopes: String { AdministrationScope.allCases.map(\.rawValue).joined(separator: ", ") }

    private func readApps(_ known: [AppName]) throws(AdministrationProblem) -> [AppName] {
        guard apps.count <= Self.maximumApps else {
            throw .invalid("apps", "apps_too_many", "apps: at most \(Self.maximumApps)")
        }
        var found: Set<AppName> = []
        for (index, text) in apps.enumerated() {
            guard let app = try? AppName(text), known.contains(app) else {
                let names = known.map(\.text).joined(separator: ", ")
                throw .invalid(
                    "apps/\(index)", "app_unknown",
                    "apps: no app \(AdministrationProblem.shown(text)) here; there are: \(names)")
            }
            found.insert(app)
        }
        return known.filter(found.contains)
    }

    private func readNetworks() throws(AdministrationProblem) -> [AddressRange] {
        guard networks.count <= Self.maximumNetworks else {
            throw .invalid("networks", "networks_too_many", "networks: at most \(Self.maximumNetworks)")
        }
        var ranges: [AddressRange] = []
        for (index, text) in networks.enumerated() {
            guard let range = AddressRange(text) else {
                throw .invalid(
                    "networks/\(index)", "network_malformed",
                    "networks: \(AdministrationProblem.shown(text)) is no address and no range such as 10.0.0.0/8")
            }
            if !ranges.contains(range) { ranges.append(range) }
        }
        return ranges
    }
}
