public import OstiaryCore

/// The wire format of one app's auth API: one value that both the server and the client use.
///
/// Every property except the name, the prefix and the identifier of the rules has a default, so that a contract
/// specifies only what is particular to its app. Operations that the original app did not have get paths and names from
/// the same rules (see ``Contract/endpoint(for:)``).
public struct Contract: Hashable, Sendable {
    /// The name of the contract: lower-case ASCII letters, digits, `-` and `_`.
    public var name: String
    /// The description of the app, in one sentence.
    public var summary: String
    /// The rules of accounts and tokens.
    public var rules: AppRules
    /// The rule by which canonical field names are spelled.
    public var naming: Naming
    /// Spellings of fields that differ from the naming rule.
    public var names: [Field: String]
    /// The wrapper around every body; nil for bare bodies.
    public var envelope: Envelope?
    /// The key of the message in an error body.
    public var failureKey: String
    /// The app's own messages for refusals, keyed by their stable code.
    public var messages: [String: String]
    /// The common prefix of all paths.
    public var prefix: String
    /// The fields of a user object.
    public var user: [FieldSpec]
    /// The social identity providers that have endpoints; empty to accept every provider that a server has.
    public var socialProviders: [String]
    /// The redirect URIs of browser sign-ins, unless a server's configuration overrides them.
    public var redirectURIs: [String]
    /// The behaviour of the app's own client that the wire format does not determine.
    public var client: ClientRules
    /// The endpoints that the contract specifies explicitly. All others follow from the rules.
    public var endpoints: [OperationKind: Endpoint]
    /// Operations that the app must not have.
    public var without: [OperationKind]

    /// The wrapper around every body: `{"success": true, "data": {…}}`.
    public struct Envelope: Codable, Hashable, Sendable {
        /// The key of the Boolean that reports success.
        public var successKey: String
        /// The key of the enclosed body.
        public var dataKey: String

        /// Creates an envelope from its keys.
        public init(successKey: String, dataKey: String) {
            self.successKey = successKey
            self.dataKey = dataKey
        }
    }

    /// Creates a contract from its parts; a nil `user` gets the default fields for the kind of identifier.
    public init(
        name: String, summary: String = "", rules: AppRules, naming: Naming = .snakeCase, names: [Field: String] = [:],
        envelope: Envelope? = nil, failureKey: String = "error", messages: [String: String] = [:], prefix: String,
        user: [FieldSpec]? = nil, socialProviders: [String] = [], redirectURIs: [String] = [],
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

    /// Returns the default fields of a user for the kind of identifier.
    private static func defaultUser(_ rules: AppRules) -> [FieldSpec] {
        switch rules.identifier {
        case .email: [.required(.id), .required(.email), .optional(.fullName)]
        case .phoneNumber: [.required(.id), .required(.phoneNumber)]
        case .username, .subject:
            [.required(.id), .required(.username), .optional(.email), .optional(.fullName)]
        }
    }

    /// Returns the spelling of a field: the endpoint's, else the contract's, else the naming rule's.
    public func spelling(of field: Field, in endpoint: Endpoint? = nil) -> String {
        endpoint?.names?[field] ?? names[field] ?? naming.spelling(of: field)
    }
}

extension Contract: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, summary, rules, naming, names, envelope, failureKey, messages, prefix, user, socialProviders,
            redirectURIs, client, endpoints, without
    }

    /// Decodes a contract; every key except `name`, `rules` and `prefix` is optional. It does not validate; see
    /// ``read(_:)``.
    ///
    /// - Throws: `DecodingError` if a required key is missing or a value is of another type.
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
            user: try container.decodeIfPresent([FieldSpec].self, forKey: .user),
            socialProviders: try container.decodeIfPresent([String].self, forKey: .socialProviders) ?? [],
            redirectURIs: try container.decodeIfPresent([String].self, forKey: .redirectURIs) ?? [],
            client: try container.decodeIfPresent(ClientRules.self, forKey: .client) ?? ClientRules(),
            endpoints: try container.decodeIfPresent([OperationKind: Endpoint].self, forKey: .endpoints) ?? [:],
            without: try container.decodeIfPresent([OperationKind].self, forKey: .without) ?? [])
    }
}
