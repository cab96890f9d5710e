#if canImport(Security)
import Foundation
import OstiaryContracts
import Security

/// Items of one service in the keychain of this device.
///
/// Every write names the generation of the item that it is made over, so that of two processes that write at once one
/// finds nothing to write over. Items that iCloud copies are neither made nor seen.
struct Keychain: Sendable {
    let service: String
    /// Nil for the app's own.
    let accessGroup: String?
    let accessible: KeychainRules.Accessible
    let thisDeviceOnly: Bool

    /// What is in an item.
    struct Item: Hashable, Sendable {
        let value: [UInt8]
        /// Made up at each writing; nil for an item that another program wrote.
        let generation: [UInt8]?
        /// Whether it is readable when the rules say, and no sooner.
        let isProtected: Bool

        /// Whether this SDK wrote the value. Who knows nothing of it writes over the value and leaves the generation.
        var isOwn: Bool {
            generation?.dropFirst(Keychain.chanceLength).elementsEqual(Keychain.mark(of: value)) ?? false
        }
    }

    /// - Returns: Nil if there is none, or none to be seen: see ``ProtectedData``.
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

    /// Writes an item over what was read, or where nothing was.
    ///
    /// - Returns: The new generation; nil if another process was faster: there is something else now.
    func write(_ value: [UInt8], to account: String, over item: Item?) throws(StoreProblem) -> [UInt8]? {
        let generation = Self.newGeneration(of: value)
        var attributes: [String: Any] = [
            kSecValueData as String: Data(value), kSecAttrGeneric as String: Data(generation),
            // At each writing: what another program or version left may be open to more than the rules want.
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

    /// - Returns: Whether it is gone; not if another process has written it meanwhile, or removed it.
    func remove(_ account: String, over item: Item) throws(StoreProblem) -> Bool {
        try done(SecItemDelete(query(account, over: item) as CFDictionary), unless: errSecItemNotFound)
    }

    /// Gives an item another name, under which nobody looks. What had that name is gone: there are tokens in it.
    ///
    /// - Returns: The name, for people; nil if another process was faster.
    func setAside(_ account: String, over item: Item) throws(StoreProblem) -> String? {
        let name = "\(account).damaged-1"
        for _ in 0..<Self.mostAttempts {
            let status = SecItemUpdate(
                query(account, over: item) as CFDictionary, [kSecAttrAccount as String: name] as CFDictionary)
            if status == errSecDuplicateItem {
                _ = try done(SecItemDelete(query(name) as CFDictionary), unless: errSecItemNotFound)
                continue
            }
            return try done(status, unless: errSecItemNotFound) ? "the keychain item \(name) of \(service)" : nil
        }
        throw .keychain(status: errSecDuplicateItem)
    }

    private static let mostAttempts = 100

    // MARK: Queries

    func query(_ account: String) -> [String: Any] {
        var query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecAttrSynchronizable as String: false,
            // Without effect on iOS; on macOS the other keychain knows no accessibility.
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

    private static func mark(of value: [UInt8]) -> [UInt8] { Array(NamedPrints.print(value).utf8) }

    private func done(_ status: OSStatus, unless expected: OSStatus) throws(StoreProblem) -> Bool {
        if status == expected { return false }
        guard status == errSecSuccess else { throw .keychain(status: status) }
        return true
    }
}
#endif
