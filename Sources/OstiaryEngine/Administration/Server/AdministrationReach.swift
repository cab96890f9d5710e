/// The apps and rights that an administrator or a service key has.
public struct AdministrationReach: Hashable, Sendable {
    /// The apps; `nil` for all.
    private let apps: [AppName]?
    /// The built-in provider's app is reached only if it is named, or by ``everything``.
    private let includesProvider: Bool
    private let scopes: [AdministrationScope]

    /// The reach of the command line and of the console: every app and every right.
    public static let everything = AdministrationReach(
        apps: nil, includesProvider: true, scopes: AdministrationScope.allCases)

    /// Creates the reach of a service key.
    public init(_ key: ServiceKey) {
        self.init(apps: key.apps.isEmpty ? nil : key.apps, includesProvider: false, scopes: key.scopes)
    }

    private init(apps: [AppName]?, includesProvider: Bool, scopes: [AdministrationScope]) {
        self.apps = apps
        self.includesProvider = includesProvider
        self.scopes = scopes
    }

    /// Returns `true` if the app is within reach.
    public func includes(_ app: AppName) -> Bool {
        if let apps { return apps.contains(app) }
        return app != .provider || includesProvider
    }

    /// `true` if what belongs to no app is within reach.
    public var includesServer: Bool { apps == nil }

    /// Returns `true` if the right is granted.
    public func grants(_ scope: AdministrationScope) -> Bool { scopes.contains(scope) }
}

extension AppName {
    /// The name under which audit events are kept that belong to no app. No app can have it.
    public static let server = AppName(unchecked: "_server")
    /// The name of the app that holds the built-in provider's accounts.
    public static let provider = AppName(unchecked: "idp")
}
