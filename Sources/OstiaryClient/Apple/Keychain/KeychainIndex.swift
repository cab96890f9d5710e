#if canImport(Security)
import OstiaryContracts
import OstiaryCore

/// The contents of the index item, which is stored beside the items that a contract names: all sessions without the
/// current one's tokens, and the fingerprints of the named items that belong to it.
struct KeychainIndex {
    static let version = 1

    let contract: String
    let baseURL: String
    private(set) var saved: SavedSessions
    /// `true` if the named items are still to be written; until then the tokens are in the index item.
    let isMoving: Bool
    /// The fingerprints of the named items. While they are still to be written: all the states in which they may be
    /// until then.
    let fingerprints: [NamedFingerprints]

    init(moving saved: SavedSessions, of app: StoredApp, from fingerprints: [NamedFingerprints]) {
        self.init(saved, of: app, isMoving: true, fingerprints)
    }

    init(
        _ saved: SavedSessions, of app: StoredApp, withoutTokensIn accounts: [KeychainRules.Item: String],
        _ fingerprints: NamedFingerprints
    ) {
        var saved = saved
        if let current = saved.current { saved[current]?.dropTokens(in: accounts) }
        self.init(saved, of: app, isMoving: false, [fingerprints])
    }

    private init(_ saved: SavedSessions, of app: StoredApp, isMoving: Bool, _ fingerprints: [NamedFingerprints]) {
        contract = app.contract
        baseURL = app.baseURL.text
        self.saved = saved
        self.isMoving = isMoving
        self.fingerprints = fingerprints
    }

    /// Returns `true` if a process with this SDK added the item for a session that had ended by then, and was killed
    /// before it could remove the item.
    func isUnexpected(_ value: Keychain.Item, as item: KeychainRules.Item) -> Bool {
        !isMoving && item != .user && value.isOwn && !fingerprints.contains { $0.has(item) }
    }

    /// The same index, after a token of the current session was lost.
    var withLostSessions: KeychainIndex {
        var index = self
        index.saved.hasLostSessions = true
        return index
    }

    var bytes: [UInt8] {
        let json: JSON = [
            StoredName.version: .integer(Self.version), StoredName.contract: .string(contract),
            StoredName.baseURL: .string(baseURL), StoredName.moving: .boolean(isMoving),
            StoredName.items: .array(fingerprints.map(\.json)), StoredName.saved: saved.json,
        ]
        return Array(json.prettyText.utf8) + [0x0A]
    }

    init(_ bytes: [UInt8]) throws(StoredFormProblem) {
        guard let json = try? JSON.read(bytes), let version = json.storedVersion else { throw .damaged }
        guard version <= Self.version else { throw .newerVersion }
        guard let contract = json.storedText(StoredName.contract), let baseURL = json.storedText(StoredName.baseURL),
            case .boolean(let isMoving) = json[StoredName.moving],
            let items = json.storedElements(StoredName.items), let saved = json[StoredName.saved]
        else { throw .damaged }
        let fingerprints = items.compactMap { NamedFingerprints($0) }
        guard fingerprints.count == items.count else { throw .damaged }
        self.contract = contract
        self.baseURL = baseURL
        self.isMoving = isMoving
        self.fingerprints = fingerprints
        self.saved = try SavedSessions(json: saved)
    }
}

extension ClientSession {
    /// Removes the tokens that the named items hold, so that they are not stored twice.
    fileprivate mutating func dropTokens(in accounts: [KeychainRules.Item: String]) {
        if accounts[.session] != nil || accounts[.accessToken] != nil { accessToken = Secret("") }
        if accounts[.session] != nil || accounts[.refreshToken] != nil { refreshToken = nil }
    }
}
#endif
