#if canImport(Security)
import CryptoKit
import Foundation
import OstiaryContracts
import OstiaryCore

/// The values of a session for the items that a contract names.
struct NamedValues: Hashable, Sendable {
    private var values: [KeychainRules.Item: [UInt8]] = [:]

    subscript(item: KeychainRules.Item) -> [UInt8]? { values[item] }

    /// Creates the values of a session.
    ///
    /// - Parameter session: The session; `nil` for no value in any item.
    init(_ session: ClientSession?, of app: StoredApp, in accounts: [KeychainRules.Item: String]) {
        guard let session else { return }
        for item in accounts.keys {
            values[item] =
                switch item {
                case .accessToken: Array(session.accessToken.reveal().utf8)
                case .refreshToken: session.refreshToken.map { Array($0.reveal().utf8) }
                case .session: Self.tokens(of: session).bytes
                case .user: Array(session.label.utf8)
                }
        }
    }

    /// Returns the session item in JSON, with the member names of the wire format, as apps without this SDK write it.
    private static func tokens(of session: ClientSession) -> JSON {
        var members = [
            JSON.Member(StoredName.accessToken, .string(session.accessToken.reveal())),
            JSON.Member(StoredName.refreshToken, .stored(session.refreshToken?.reveal())),
        ]
        if let expiresAt = session.expiresAt {
            let lifetime = Int(expiresAt.timeIntervalSince(session.issuedAt))
            members.append(JSON.Member(StoredName.expiresIn, .integer(lifetime)))
        }
        members.append(JSON.Member(StoredName.issuedAt, .stored(session.issuedAt)))
        return .object(members)
    }

    /// Returns `true` if the items hold these values, were written by this SDK, and have the accessibility of the
    /// rules.
    func fit(_ items: [KeychainRules.Item: Keychain.Item]) -> Bool {
        Set(values.keys).union(items.keys).allSatisfy { fit(items[$0], as: $0) }
    }

    func fit(_ item: Keychain.Item?, as name: KeychainRules.Item) -> Bool {
        item?.value == values[name] && item?.isProtected != false && (item == nil || item?.generation != nil)
    }

    fileprivate var all: [KeychainRules.Item: [UInt8]] { values }
}

/// The fingerprints of the tokens in named items: they distinguish tokens and do not reveal them.
struct NamedFingerprints: Hashable, Sendable {
    private let fingerprints: [KeychainRules.Item: String]

    init(_ items: [KeychainRules.Item: Keychain.Item]) { self.init(items.mapValues(\.value)) }
    init(_ values: NamedValues) { self.init(values.all) }

    private init(_ values: [KeychainRules.Item: [UInt8]]) {
        // The user item is left out: the identity of the tokens does not depend on the person's name.
        fingerprints = values.filter { $0.key != .user }.mapValues(Self.print)
    }

    static func print(_ value: [UInt8]) -> String {
        Data(SHA256.hash(data: value).prefix(16)).base64EncodedString()
    }

    func has(_ item: KeychainRules.Item) -> Bool { fingerprints[item] != nil }

    /// Returns `true` if each item has the fingerprint that one of the other states has for it.
    func isContained(among others: [NamedFingerprints]) -> Bool {
        KeychainRules.Item.all.allSatisfy { item in others.contains { $0.fingerprints[item] == fingerprints[item] } }
    }

    var json: JSON {
        .object(
            fingerprints.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                JSON.Member($0.key.rawValue, .string($0.value))
            })
    }

    init?(_ json: JSON?) {
        guard case .object(let members) = json else { return nil }
        var fingerprints: [KeychainRules.Item: String] = [:]
        for member in members {
            guard let item = KeychainRules.Item(rawValue: member.name), case .string(let text) = member.value else {
                return nil
            }
            fingerprints[item] = text
        }
        self.fingerprints = fingerprints
    }
}
extension KeychainRules.Item {
    fileprivate static let all: [Self] = [.session, .accessToken, .refreshToken]
}
#endif
