public import OstiaryCore

/// How one app spells its auth API on the wire: a value that the server and the client read alike.
///
/// Everything but the name, the identifier and the prefix has a default, so that a contract says only what is particular
/// to its app. Operations that an app never had get paths and names from the same rules (see ``Contract/endpoint(for:)``).
public struct Contract: Hashable, Sendable {
    /// Lower-case ASCII letters, digits, `-` and `_`.
    public var name: String
    /// What the app is, in a sentence.
    public var summary: String
    public var rules: AppRules
    public var naming: Naming
    /// Names that the naming rule does not give.
    public var names: [Field: String]
    public var envelope: Envelope?
    /// The key under which an error body has its text.
    public var failureKey: String
    /// Texts of refusals by their stable code, where the app has its own.
    public var messages: [String: String]
    /// What every path begins with.
    public var prefix: String
    /// The fields of a user.
    public var user: [FieldUse]
    /// The social identity providers that have endpoints; empty for whichever a server has.
    public var socialProviders: [String]
    /// Where a browser sign-in comes back to in the app, unless a server's configuration says otherwise.
    public var redirectURIs: [String]
    /// What the app's own client does where the wire does not tell.
    public var client: ClientRules
    /// What the contract spells itself. All else follows from the rules.
    public var endpoints: [OperationKind: Endpoint]
    /// Operations that the app must not have.
    public var without: [OperationKind]

    /// A wrapper around every body: `{"success": true, "data": {…}}`.
    public struct Envelope: Codable, Hashable, Sendable {
        public var successKey: String
        public var dataKey: String

        public init(successKey: String, dataKey: String) {
            self.successKey = successKey
            self.dataKey = dataKey
        }
    }

    public init(
        name: String, summary: String = "", rules: AppRules, naming: Naming = .snakeCase, names: [Field: String] = [:],
        envelope: Envelope? = nil, failureKey: String = "error", messages: [String: String] = [:], prefix: String,
        user: [FieldUse]? = nil, socialProviders: [String] = [], redirectURIs: [String] = [],
        client: ClientRules = ClientRules(), endpoints: [OperationKind: Endpoint] = [:],
        without: [OperationKind] = []
    ) {
        self.name = name
        self.summary = summary
        self.rules = rules
        self.naming = naming
        self.names = names
        self.envelope = envelope
        self.failureKey = failureKey
        self.messages = messages
        self.prefix = prefix
        self.user = user ?? Self.defaultUser(rules)
        self.socialProviders = socialProviders
        self.redirectURIs = redirectURIs
        self.client = client
        self.endpoints = endpoints
        self.without = without
    }

    private static func defaultUser(_ rules: AppRules) -> [FieldUse] {
        switch rules.identifier {
        case .email: [.required(.id), .required(.email), .optional(.fullName)]
        case .phoneNumber: [.required(.id), .required(.phoneNumber)]
        case .username, .subject:
            [.required(.id), .required(.username), .optional(.email), .optional(.fullName)]
        }
    }

    /// How a field is spelled, in one endpoint or anywhere.
    public func spelling(of field: Field, in endpoint: Endpoint? = nil) -> String {
        endpoint?.names?[field] ?? names[field] ?? naming.spelling(of: field)
    }
}

extension Contract: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, summary, rules, naming, names, envelope, failureKey, messages, prefix, user, socialProviders,
            redirectURIs, client, endpoints, without
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            summary: try container.decodeIfPresent(String.self, forKey: .summary) ?? "",
            rules: try container.decode(AppRules.self, forKey: .rules),
            naming: try container.decodeIfPresent(Naming.self, forKey: .naming) ?? .snakeCase,
            names: try container.decodeIfPresent([Field: String].self, forKey: .names) ?? [:],
            envelope: try container.decodeIfPresent(Envelope.self, forKey: .envelope),
            failureKey: try container.decodeIfPresent(String.self, forKey: .failureKey) ?? "error",
            messages: try container.decodeIfPresent([String: String].self, forKey: .messages) ?? [:],
            prefix: try container.decode(String.self, forKey: .prefix),
            user: try container.decodeIfPresent([FieldUse].self, forKey: .user),
            socialProviders: try container.decodeIfPresent([String].self, forKey: .socialProviders) ?? [],
            redirectURIs: try container.decodeIfPresent([String].self, forKey: .redirectURIs) ?? [],
            client: try container.decodeIfPresent(ClientRules.self, forKey: .client) ?? ClientRules(),
            endpoints: try container.decodeIfPresent([OperationKind: Endpoint].self, forKey: .endpoints) ?? [:],
            without: try container.decodeIfPresent([OperationKind].self, forKey: .without) ?? [])
    }
}
