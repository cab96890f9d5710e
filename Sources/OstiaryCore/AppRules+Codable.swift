// A key whose property has a default value in the initializer is optional in the encoded form.

extension AppRules {
    enum CodingKeys: String, CodingKey {
        case identifier, accountIDs, registersWithCode, accessTokenSeconds, refresh, claims, accessTokenSigning,
            environment
    }

    /// Decodes the rules; every key except `identifier` is optional and falls back to the initializer's default.
    ///
    /// - Throws: `DecodingError` if `identifier` is missing or a value is of another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(identifier: try container.decode(IdentifierKind.self, forKey: .identifier))
        accountIDs = try container.decodeIfPresent(AccountIDKind.self, forKey: .accountIDs) ?? accountIDs
        registersWithCode = try container.decodeIfPresent(Bool.self, forKey: .registersWithCode) ?? registersWithCode
        accessTokenSeconds = try container.decodeIfPresent(Int.self, forKey: .accessTokenSeconds) ?? accessTokenSeconds
        refresh = try container.decodeIfPresent(RefreshRules.self, forKey: .refresh)
        claims = try container.decodeIfPresent(ClaimRules.self, forKey: .claims) ?? claims
        accessTokenSigning =
            try container.decodeIfPresent(AccessTokenSigning.self, forKey: .accessTokenSigning) ?? accessTokenSigning
        environment = try container.decodeIfPresent(EnvironmentRules.self, forKey: .environment) ?? environment
    }
}

extension AppRules.AccessTokenSigning {
    /// Decodes the algorithm from its raw value.
    ///
    /// - Throws: `DecodingError` that lists the accepted names if the value is not one of them.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let algorithm = Self(rawValue: try container.decode(String.self)) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: " or ")
            throw DecodingError.dataCorruptedError(in: container, debugDescription: names)
        }
        self = algorithm
    }
}

extension RefreshRules {
    enum CodingKeys: String, CodingKey { case seconds, shortSeconds, form }

    /// Decodes the rules; every key is optional and falls back to the initializer's default.
    ///
    /// - Throws: `DecodingError` if a value is of another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        seconds = try container.decodeIfPresent(Int.self, forKey: .seconds) ?? seconds
        shortSeconds = try container.decodeIfPresent(Int.self, forKey: .shortSeconds)
        form = try container.decodeIfPresent(Form.self, forKey: .form) ?? form
    }
}

extension ClaimRules {
    enum CodingKeys: String, CodingKey { case subject, includesProfile }

    /// Decodes the rules; every key is optional and falls back to the initializer's default.
    ///
    /// - Throws: `DecodingError` if a value is of another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        subject = try container.decodeIfPresent(Subject.self, forKey: .subject) ?? subject
        includesProfile = try container.decodeIfPresent(Bool.self, forKey: .includesProfile) ?? includesProfile
    }
}

extension EnvironmentRules {
    enum CodingKeys: String, CodingKey {
        case accessTokenSecret, refreshTokenSecret, accessTokenSeconds, refreshTokenSeconds, overridesFile
    }

    /// Decodes the variable names; every key is optional and falls back to the initializer's default.
    ///
    /// - Throws: `DecodingError` if a value is of another type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        func name(_ key: CodingKeys) throws -> String? { try container.decodeIfPresent(String.self, forKey: key) }
        accessTokenSecret = try name(.accessTokenSecret) ?? accessTokenSecret
        refreshTokenSecret = try name(.refreshTokenSecret) ?? refreshTokenSecret
        accessTokenSeconds = try name(.accessTokenSeconds) ?? accessTokenSeconds
        refreshTokenSeconds = try name(.refreshTokenSeconds) ?? refreshTokenSeconds
        overridesFile = try container.decodeIfPresent(Bool.self, forKey: .overridesFile) ?? overridesFile
    }
}
