#if canImport(Security)
import Foundation
import OstiaryContracts
import Security

/// The items of one service in the keychain of this device.
///
/// Every write is a compare-and-set on the generation of the item it replaces, so that of two concurrent writes one
/// finds no item to replace. Items that iCloud synchronises are neither created nor read.
struct Keychain: Sendable {
    let service: String
    /// The access group of the items; `nil` for the app's own groups.
    let accessGroup: String?
    let accessible: KeychainRules.Accessible
    let thisDeviceOnly: Bool

    /// The contents of an item.
    struct Item: Hashable, Sendable {
        let value: [UInt8]
        /// A value that each write replaces: random bytes and the fingerprint of the value. `nil` for an item that
        /// another program wrote.
        let generation: [UInt8]?
        /// `true` if the item's accessibility is the one in the rules, so that it cannot be read earlier.
        let isProtected: Bool

        /// `true` if this SDK wrote the value. A program without this SDK replaces the value and leaves the generation.
        var isOwn: Bool {
            generation?.dropFirst(Keychain.chanceLength).elementsEqual(Keychain.mark(of: value)) ?? false
        }
    }

    /// Reads an item.
    ///
    /// - Returns: `nil` if there is none, or none is accessible: see ``ProtectedData``.
    func item(_ account: String) throws(StoreProblem) -> Item? {
        var query = query(account)
        query[kSecReturnData as String] = true
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        var result: CFTypeRef?
        guard try done(SecItemCopyMatching(query as CFDictionary, &result), unless: errSecItemNotFound) else {
            return nil
        }
        guard let found = result as? [String: Any], let value = found[kSecValueData as String] as? Data else {
            throw .keychain(status: errSecDecode)
        }
        return Item(
            value: Array(value), generation: (found[kSecAttrGeneric as String] as? Data).map { Array($0) },
            isProtected: found[kSecAttrAccessible as String] as? String == protection as String)
    }

    /// Writes an item by compare-and-set: over the item that was read, or as a new one if there was none.
    ///
    /// - Returns: The new generation; `nil` if another process has changed the item in the meantime.
    func write(_ value: [UInt8], to account: String, over item: Item?) throws(StoreProblem) -> [UInt8]? {
        let generation = Self.newGeneration(of: value)
        var attributes: [String: Any] = [
            kSecValueData as String: Data(value), kSecAttrGeneric as String: Data(generation),
            // Set at each write: an item that another program or version left may be readable earlier than the rules
            // allow.
            kSecAttrAccessible as String: protection,
        ]
        let status: OSStatus
        let lost: OSStatus
        if let item {
            status = SecItemUpdate(query(account, over: item) as CFDictionary, attributes as CFDictionary)
            lost = errSecItemNotFound
        } else {
            attributes.merge(query(account)) { $1 }
            status = SecItemAdd(attributes as CFDictionary, nil)
            lost = errSecDuplicateItem
        }
        return try done(status, unless: lost) ? generation : nil
    }

    /// Removes an item by compare-and-set.
    ///
    /// - Returns: `true` if it was removed; `false` if another process has written or removed it in the meantime.
    func remove(_ account: String, over item: Item) throws(StoreProblem) -> Bool {
        try done(SecItemDelete(query(account, over: item) as CFDictionary), unless: errSecItemNotFound)
    }

    /// Renames an item to a name that is never read. An item that already has that name is deleted, since it contains
    /// tokens.
    ///
    /// - Returns: A description of the new location, for people; `nil` if another process has changed the item in the
    ///   meantime.
    func setAside(_ account: String, over item: Item) throws(StoreProblem) -> String? {
        let name = Self.nameSetAside(account)
        for _ in 0..<Self.mostAttempts {
            let status = SecItemUpdate(
                query(account, over: item) as CFDictionary, [kSecAttrAccount as String: name] as CFDictionary)
            if status == errSecDuplicateItem {
                _ = try done(SecItemDelete(query(name) as CFDictionary), unless: errSecItemNotFound)
                continue
            }
            return try done(status, unless: errSecItemNotFound) ? place(ofSetAside: account) : nil
        }
        throw .keychain(status: errSecDuplicateItem)
    }

    /// Returns the name that ``setAside(_:over:)`` gives to an item.
    static func nameSetAside(_ account: String) -> String { "\(account).damaged-1" }

    /// Returns the description of an item that was set aside, for people.
    func place(ofSetAside account: String) -> String {
        "the keychain item \(Self.nameSetAside(account)) of \(service)"
    }

    private static let mostAttempts = 100

    // MARK: Queries

    func query(_ account: String) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecAttrSynchronizable as String: false,
            // Without effect on iOS. On macOS it selects the data protection keychain; the file-based one has no
            // accessibility.
            kSecUseDataProtectionKeychain as String: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
        return query
    }

    private func query(_ account: String, over item: Item) -> [String: Any] {
        var query = query(account)
        if let generation = item.generation { query[kSecAttrGeneric as String] = Data(generation) }
        return query
    }

    private var protection: CFString {
        switch (accessible, thisDeviceOnly) {
        case (.whenUnlocked, true): kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        case (.whenUnlocked, false): kSecAttrAccessibleWhenUnlocked
        case (.afterFirstUnlock, true): kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
        case (.afterFirstUnlock, false): kSecAttrAccessibleAfterFirstUnlock
        }
    }

    private static let chanceLength = 16

    private static func newGeneration(of value: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UUID().uuid) { Array($0) } + mark(of: value)
    }

    private static func mark(of value: [UInt8]) -> [UInt8] { Array(NamedFingerprints.print(value).utf8) }

    private func done(_ status: OSStatus, unless expected: OSStatus) throws(StoreProblem) -> Bool {
        if status == expected { return false }
        guard status == errSecSuccess else { throw .keychain(status: status) }
        return true
    }
}
#endif
