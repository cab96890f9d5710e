/// One app as administrators see it: its engine and its description.
public struct AdministeredApp: Sendable {
    /// The engine, which has the app's name and rules.
    public let engine: AuthEngine
    /// The name for people.
    public let title: String
    /// The name of the contract; `nil` for the built-in provider.
    public let contract: String?
    /// The prefix of every path; empty for none.
    public let basePath: String
    /// The ways in which people sign in.
    public let identitySources: [IdentitySource]

    /// The app's name.
    public var name: AppName { engine.app.name }

    /// An identity provider of an app, or its own accounts.
    public struct IdentitySource: Hashable, Sendable {
        /// The name in paths, unique in the app.
        public var name: String
        /// The kind of provider, such as `google`; `local` for the app's own accounts.
        public var kind: String

        /// Creates a source from its parts.
        public init(name: String, kind: String) {
            self.name = name
            self.kind = kind
        }
    }

    /// Creates an app from its parts.
    public init(
        engine: AuthEngine, title: String, contract: String?, basePath: String,
        identitySources: [IdentitySource] = []
    ) {
        self.engine = engine
        self.title = title
        self.contract = contract
        self.basePath = basePath
        self.identitySources = identitySources
    }
}
