#if canImport(Security)
import CryptoKit
import Foundation
import OstiaryContracts
import OstiaryCore

/// What the items that a contract names hold of a session.
struct NamedValues: Hashable, Sendable {
    private var values: [KeychainRules.Item: [UInt8]] = [:]

    subscript(item: KeychainRules.Item) -> [UInt8]? { values[item] }

    /// - Parameter session: Nil for nothing in any of them.
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

    /// Names as they are on the wire, as the apps have them that were there before.
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

    /// Whether the items are as they should be, which they are not where they can be read sooner than the rules want.
    func fit(_ items: [KeychainRules.Item: Keychain.Item]) -> Bool {
        Set(values.keys).union(items.keys).allSatisfy { fit(items[$0], as: $0) }
    }

    func fit(_ item: Keychain.Item?, as name: KeychainRules.Item) -> Bool {
        item?.value == values[name] && item?.isProtected != false && (item == nil || item?.generation != nil)
    }

    fileprivate var all: [KeychainRules.Item: [UInt8]] { values }
}

/// What tells the tokens in named items from others, without saying what they are.
struct NamedPrints: Hashable, Sendable {
    private let prints: [KeychainRules.Item: String]

    init(_ items: [KeychainRules.Item: Keychain.Item]) { self.init(items.mapValues(\.value)) }
    init(_ values: NamedValues) { self.init(values.all) }

    private init(_ values: [KeychainRules.Item: [UInt8]]) {
        // Whose they are does not depend on what the person is called.
        prints = values.filter { $0.key != .user }.mapValues(Self.print)
    }

    static func print(_ value: [UInt8]) -> String {
        Data(SHA256.hash(data: value).prefix(16)).base64EncodedString()
    }

    func has(_ item: KeychainRules.Item) -> Bool { prints[item] != nil }

    /// Whether each item is as one of those has it.
    func lie(among others: [NamedPrints]) -> Bool {
        KeychainRules.Item.all.allSatisfy { item in others.contains { $0.prints[item] == prints[item] } }
    }

    var json: JSON {
        .object(
            prints.sorted { $0.key.rawValue < $1.key.rawValue }.map { JSON.Member($0.key.rawValue, .string($0.value)) })
    }

    init?(_ json: JSON?) {
        guard case .object(let members) = json else { return nil }
        var prints: [KeychainRules.Item: String] = [:]
        for member in members {
            guard let item = KeychainRules.Item(rawValue: member.name), case .string(let text) = member.value else {
                return nil
            }
            prints[item] = text
        }
        self.prints = prints
    }
}
extension KeychainRules.Item {
    fileprivate static let all: [Self] = [.session, .accessToken, .refreshToken]
}
#endif
