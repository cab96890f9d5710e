/// The rules of an app's own client that its contract fixes, independent of the server it connects to.
public struct ClientRules: Codable, Hashable, Sendable {
    /// The time before its expiry at which an access token is refreshed, in seconds; limited to half of the token's
    /// lifetime.
    public var refreshLeadSeconds: Int
    /// `true` if the token is refreshed as soon as the lead begins, even without a pending request.
    public var refreshesAhead: Bool
    /// The base URL of the app's API in development; nil if the contract does not specify it.
    public var developmentBaseURL: String?
    /// The base URL of the app's API in production; nil if the contract does not specify it.
    public var productionBaseURL: String?
    /// The layout of the session's items in the keychain.
    public var keychain: KeychainRules
    /// `true` if the browser of a sign-in starts without existing cookies; `false` if it may share them. The app can
    /// override it.
    public var prefersEphemeralWebBrowserSession: Bool

    /// Creates rules from their parts; a parameter left out takes the default of a contract that does not specify it.
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

    /// Decodes the rules; every key is optional and falls back to the initializer's default.
    ///
    /// - Throws: `DecodingError` if a value is of another type.
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

/// The layout of an app's session in the keychain.
public struct KeychainRules: Codable, Hashable, Sendable {
    /// The service attribute of the items; nil for the app's bundle identifier.
    public var service: String?
    /// The names of items that each hold a part of the session; empty for one item that holds the whole session.
    public var items: [Item: String]
    /// The device state in which the items are readable.
    public var accessible: Accessible
    /// `true` if the items are excluded from backups that are restored to another device.
    public var thisDeviceOnly: Bool

    /// A part of the session that a keychain item holds.
    public enum Item: String, Codable, Hashable, Sendable, CodingKeyRepresentable {
        /// The whole session, or one of its parts.
        case session, accessToken, refreshToken, user
    }

    /// The device state in which an item is readable: while unlocked, or since the first unlock after a restart.
    public enum Accessible: String, Codable, Hashable, Sendable { case whenUnlocked, afterFirstUnlock }

    /// Creates rules from their parts; by default, one item that is readable after the first unlock, on this device
    /// only.
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

    /// Decodes the rules; every key is optional and falls back to the initializer's default.
    ///
    /// - Throws: `DecodingError` if a value is of another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        service = try container.decodeIfPresent(String.self, forKey: .service)
        items = try container.decodeIfPresent([Item: String].self, forKey: .items) ?? items
        accessible = try container.decodeIfPresent(Accessible.self, forKey: .accessible) ?? accessible
        thisDeviceOnly = try container.decodeIfPresent(Bool.self, forKey: .thisDeviceOnly) ?? thisDeviceOnly
    }
}
