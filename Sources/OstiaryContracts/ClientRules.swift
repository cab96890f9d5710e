/// What a contract fixes about the app's own client, whichever server it speaks to.
public struct ClientRules: Codable, Hashable, Sendable {
    /// How long before its end an access token is replaced, in seconds. Never more than half of the token's life.
    public var refreshLeadSeconds: Int
    /// Whether the token is replaced when the lead begins, even if nobody asks for it then.
    public var refreshesAhead: Bool
    /// Where the app's API is while it is developed; nil where nothing is said.
    public var developmentBaseURL: String?
    /// Where the app's API is for everybody; nil where nothing is said.
    public var productionBaseURL: String?
    public var keychain: KeychainRules
    /// False where the browser of a sign-in may know the person from before, unless the app says otherwise.
    public var prefersEphemeralWebBrowserSession: Bool

    public init(
        refreshLeadSeconds: Int = 60, refreshesAhead: Bool = false, developmentBaseURL: String? = nil,
        productionBaseURL: String? = nil, keychain: KeychainRules = KeychainRules(),
        prefersEphemeralWebBrowserSession: Bool = true
    ) {
        self.refreshLeadSeconds = refreshLeadSeconds
        self.refreshesAhead = refreshesAhead
        self.developmentBaseURL = developmentBaseURL
        self.productionBaseURL = productionBaseURL
        self.keychain = keychain
        self.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
    }

    enum CodingKeys: String, CodingKey {
        case refreshLeadSeconds, refreshesAhead, developmentBaseURL, productionBaseURL, keychain
        case prefersEphemeralWebBrowserSession
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        refreshLeadSeconds =
            try container.decodeIfPresent(Int.self, forKey: .refreshLeadSeconds) ?? refreshLeadSeconds
        refreshesAhead = try container.decodeIfPresent(Bool.self, forKey: .refreshesAhead) ?? refreshesAhead
        developmentBaseURL = try container.decodeIfPresent(String.self, forKey: .developmentBaseURL)
        productionBaseURL = try container.decodeIfPresent(String.self, forKey: .productionBaseURL)
        keychain = try container.decodeIfPresent(KeychainRules.self, forKey: .keychain) ?? keychain
        prefersEphemeralWebBrowserSession =
            try container.decodeIfPresent(Bool.self, forKey: .prefersEphemeralWebBrowserSession)
            ?? prefersEphemeralWebBrowserSession
    }
}

/// How an app's session lies in a keychain.
public struct KeychainRules: Codable, Hashable, Sendable {
    /// Nil for the app's own bundle identifier.
    public var service: String?
    /// The names of items that hold a part of the session each; empty for one item that holds all of it.
    public var items: [Item: String]
    public var accessible: Accessible
    /// Whether the items stay out of backups that are restored to another device.
    public var thisDeviceOnly: Bool

    public enum Item: String, Codable, Hashable, Sendable, CodingKeyRepresentable {
        case session, accessToken, refreshToken, user
    }

    public enum Accessible: String, Codable, Hashable, Sendable { case whenUnlocked, afterFirstUnlock }

    public init(
        service: String? = nil, items: [Item: String] = [:], accessible: Accessible = .afterFirstUnlock,
        thisDeviceOnly: Bool = true
    ) {
        self.service = service
        self.items = items
        self.accessible = accessible
        self.thisDeviceOnly = thisDeviceOnly
    }

    enum CodingKeys: String, CodingKey { case service, items, accessible, thisDeviceOnly }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        service = try container.decodeIfPresent(String.self, forKey: .service)
        items = try container.decodeIfPresent([Item: String].self, forKey: .items) ?? items
        accessible = try container.decodeIfPresent(Accessible.self, forKey: .accessible) ?? accessible
        thisDeviceOnly = try container.decodeIfPresent(Bool.self, forKey: .thisDeviceOnly) ?? thisDeviceOnly
    }
}
