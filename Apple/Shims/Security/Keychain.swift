// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals, NoLeadingUnderscores, NeverForceUnwrap
import Foundation

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    ShimKeychain.of(attributes).add(attributes, result)
}
public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    ShimKeychain.of(query).copyMatching(query, result)
}
public func SecItemUpdate(_ query: CFDictionary, _ attributesToUpdate: CFDictionary) -> OSStatus {
    ShimKeychain.of(query).update(query, attributesToUpdate)
}
public func SecItemDelete(_ query: CFDictionary) -> OSStatus { ShimKeychain.of(query).delete(query) }

/// An in-memory data-protection keychain which refuses what the real one refuses. Where iOS and macOS differ it takes
/// the stricter of the two, so that code passing here has no platform-dependent query.
///
/// Each service is a keychain of its own, so that tests of one service do not lock that of another.
///
/// Sendable: its mutable state is read and written under its lock; static state is under `all`, or never changes.
public final class ShimKeychain: @unchecked Sendable {
    private static let all = NSLock()
    private nonisolated(unsafe) static var keychains: [String: ShimKeychain] = [:]

    public static func of(service: String) -> ShimKeychain {
        all.lock(); defer { all.unlock() }
        if let keychain = keychains[service] { return keychain }
        let keychain = ShimKeychain()
        keychains[service] = keychain
        return keychain
    }
    static func of(_ query: CFDictionary) -> ShimKeychain {
        of(service: (query[S(kSecAttrService)] as? NSString).map { $0 as String } ?? "")
    }

    public enum Lock: Sendable { case unlocked, locked, beforeFirstUnlock }
    public struct Call: Sendable { public var name: String; public var status: OSStatus; public var note: String }

    private let mutex = NSRecursiveLock()
    private var items: [[String: Any]] = []
    private var _lock = Lock.unlocked
    private var _accessGroups: [String] = ["shim.default"]
    private var _calls: [Call] = []
    private var _failNext: [String: OSStatus] = [:]
    private var _authenticate: @Sendable (AnyObject?) -> OSStatus = { _ in errSecUserCanceled }
    private var _enrolment = Data([1])
    private var _statusOfInvalidated = errSecItemNotFound
    private var _hidesWhatIsLocked = false
    private var _hidden: Set<String> = []
    private var _hasNoEntitlement = false
    private var _writesLeft: Int?
    private var _beforeCall: (@Sendable (String) -> Void)?
    private var _afterCall: (@Sendable (String) -> Void)?

    // MARK: properties that a test sets and reads
    public var lock: Lock {
        get { sync { _lock } }
        set { sync { _lock = newValue } }
    }
    public var accessGroups: [String] {
        get { sync { _accessGroups } }
        set { sync { _accessGroups = newValue } }
    }
    public var calls: [Call] { sync { _calls } }
    public var count: Int { sync { items.count } }
    public var accounts: [String] { sync { items.compactMap { $0[S(kSecAttrAccount)] as? String } } }
    /// The biometric enrolment of the device: items bound to another enrolment are lost.
    public var enrolment: Data {
        get { sync { _enrolment } }
        set { sync { _enrolment = newValue } }
    }
    /// The status of reading an item whose enrolment has changed. Both values are reported of real devices.
    public var statusOfInvalidated: OSStatus {
        get { sync { _statusOfInvalidated } }
        set { sync { _statusOfInvalidated = newValue } }
    }
    /// `true` if a locked item is reported as not found, as observed on real devices before the first unlock.
    public var hidesWhatIsLocked: Bool {
        get { sync { _hidesWhatIsLocked } }
        set { sync { _hidesWhatIsLocked = newValue } }
    }
    /// Accounts whose items are not found and yet duplicates, as reported of items that can no longer be decrypted.
    public var hidden: Set<String> {
        get { sync { _hidden } }
        set { sync { _hidden = newValue } }
    }
    /// `true` if the app lacks the entitlement keychain-access-groups.
    public var hasNoEntitlement: Bool {
        get { sync { _hasNoEntitlement } }
        set { sync { _hasNoEntitlement = newValue } }
    }
    /// The number of writes after which every call fails, as for a process that was killed; nil for no limit.
    public var writesLeft: Int? {
        get { sync { _writesLeft } }
        set { sync { _writesLeft = newValue } }
    }
    /// Called before each call, outside the lock.
    public func beforeCall(_ body: (@Sendable (String) -> Void)?) { sync { _beforeCall = body } }
    /// Called after each call, outside the lock.
    public func afterCall(_ body: (@Sendable (String) -> Void)?) { sync { _afterCall = body } }
    public func value(account: String) -> Data? {
        sync { items.first { $0[S(kSecAttrAccount)] as? String == account }?[S(kSecValueData)] as? Data }
    }
    public func generic(account: String) -> Data? {
        sync { items.first { $0[S(kSecAttrAccount)] as? String == account }?[S(kSecAttrGeneric)] as? Data }
    }
    /// The number of prompts that items have required.
    public private(set) var prompts = 0
    /// Returns the protection of the item: an accessibility class, or "accessControl".
    public func protection(account: String) -> String? {
        sync {
            items.first { $0[S(kSecAttrAccount)] as? String == account }.map {
                $0[S(kSecAttrAccessible)] as? String ?? "accessControl"
            }
        }
    }
    public func onAuthenticate(_ body: @escaping @Sendable (AnyObject?) -> OSStatus) { sync { _authenticate = body } }
    public func failNext(_ function: String, with status: OSStatus) { sync { _failNext[function] = status } }
    public func reset() {
        sync {
            items = []; _lock = .unlocked; _accessGroups = ["shim.default"]; _calls = []; _failNext = [:]
            _enrolment = Data([1]); _statusOfInvalidated = errSecItemNotFound; _hidesWhatIsLocked = false
            _hidden = []; _hasNoEntitlement = false; _writesLeft = nil; _beforeCall = nil; _afterCall = nil; prompts = 0
            _authenticate = { _ in errSecUserCanceled }
        }
    }

    // MARK: the four functions
    func add(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        run("SecItemAdd", attributes) {
            var item = try Self.strings(attributes)
            try Self.forbid(item, [kSecMatchLimit], "SecItemAdd takes no kSecMatchLimit")
            try Self.checkKnown(item)
            let wants = try Self.returns(item)
            for key in [
                kSecReturnData, kSecReturnAttributes, kSecUseDataProtectionKeychain, kSecUseAuthenticationContext,
            ] {
                item[S(key)] = nil
            }
            if let synchronizable = item[S(kSecAttrSynchronizable)], !(synchronizable is Bool) {
                throw Refusal(errSecParam, "kSecAttrSynchronizable must be a boolean when adding")
            }
            try Self.checkProtection(&item)
            if item[S(kSecValueData)] == nil { item[S(kSecValueData)] = Data() }
            item[S(kSecAttrAccessGroup)] = try group(item) ?? _accessGroups[0]
            if let control = item[S(kSecAttrAccessControl)] as? SecAccessControl,
                control.flags.contains(.biometryCurrentSet)
            {
                guard !_enrolment.isEmpty else { throw Refusal(errSecAuthFailed, "nobody is enrolled") }
                item[boundTo] = _enrolment
            }
            item[S(kSecAttrCreationDate)] = Date()
            item[S(kSecAttrModificationDate)] = Date()
            guard try !items.contains(where: { try Self.primaryKey($0) == Self.primaryKey(item) }) else {
                throw Refusal(errSecDuplicateItem, "duplicate")
            }
            try checkLock(item)
            items.append(item)
            if wants != [] { result?.pointee = Self.shape(item, wants) }
        }
    }

    func copyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
        run("SecItemCopyMatching", query) {
            let query = try Self.strings(query)
            try Self.checkKnown(query)
            try Self.forbid(query, [kSecValueData], "kSecValueData is no search attribute")
            let wants = try Self.returns(query)
            let limit = query[S(kSecMatchLimit)] as? String ?? S(kSecMatchLimitOne)
            guard limit == S(kSecMatchLimitOne) || limit == S(kSecMatchLimitAll) || query[S(kSecMatchLimit)] is Int
            else {
                throw Refusal(errSecParam, "kSecMatchLimit has an unknown value")
            }
            let all = limit == S(kSecMatchLimitAll)
            if all, wants.contains("data") {
                throw Refusal(errSecParam, "macOS refuses kSecReturnData with kSecMatchLimitAll")
            }
            let found = try indices(query).map { items[$0] }
            guard let first = found.first else { throw Refusal(errSecItemNotFound, "no item") }
            for item in all ? found : [first] where wants.contains("data") {
                try checkLock(item)
                try authenticate(item, query)
            }
            if _hidesWhatIsLocked { try checkLock(first) }
            guard wants != [] else { return }
            result?.pointee = all ? found.map { Self.shape($0, wants) } as NSArray : Self.shape(first, wants)
        }
    }

    func update(_ query: CFDictionary, _ changes: CFDictionary) -> OSStatus {
        run("SecItemUpdate", query) {
            let query = try Self.strings(query), changes = try Self.strings(changes)
            try Self.checkKnown(query)
            try Self.checkKnown(changes, needsClass: false)
            try Self.forbid(
                query, [kSecReturnData, kSecReturnAttributes, kSecMatchLimit, kSecValueData], "not in an update query")
            try Self.forbid(
                changes, [kSecClass, kSecReturnData, kSecReturnAttributes, kSecMatchLimit], "not an updatable attribute"
            )
            let found = try indices(query)
            guard !found.isEmpty else { throw Refusal(errSecItemNotFound, "no item") }
            for index in found {
                try checkLock(items[index])
                var item = items[index]
                item.merge(changes) { $1 }
                if changes[S(kSecAttrAccessible)] != nil { item[S(kSecAttrAccessControl)] = nil }
                try Self.checkProtection(&item)
                item[S(kSecAttrModificationDate)] = Date()
                let key = try Self.primaryKey(item)
                guard try !items.indices.contains(where: { try $0 != index && Self.primaryKey(items[$0]) == key })
                else {
                    throw Refusal(errSecDuplicateItem, "update collides")
                }
                items[index] = item
            }
        }
    }

    func delete(_ query: CFDictionary) -> OSStatus {
        run("SecItemDelete", query) {
            let query = try Self.strings(query)
            try Self.checkKnown(query)
            try Self.forbid(
                query, [kSecReturnData, kSecReturnAttributes, kSecMatchLimit, kSecValueData], "not in a delete query")
            let found = try indices(query)
            guard !found.isEmpty else { throw Refusal(errSecItemNotFound, "no item") }
            for index in found.reversed() { items.remove(at: index) }
        }
    }

    // MARK: rules
    private struct Refusal: Error {
        var status: OSStatus, note: String
        init(_ status: OSStatus, _ note: String) { self.status = status; self.note = note }
    }

    private func sync<T>(_ body: () throws -> T) rethrows -> T {
        mutex.lock(); defer { mutex.unlock() }; return try body()
    }

    private func run(_ name: String, _ query: CFDictionary, _ body: () throws -> Void) -> OSStatus {
        sync { _beforeCall }?(name)
        defer { sync { _afterCall }?(name) }
        return sync {
            var call = Call(name: name, status: errSecSuccess, note: "")
            if let status = _failNext.removeValue(forKey: name) {
                call.status = status
            } else if let left = _writesLeft, left <= 0 {
                call.status = errSecNotAvailable
            } else if _hasNoEntitlement {
                call.status = errSecMissingEntitlement
            } else if query[S(kSecUseDataProtectionKeychain)] as? Bool != true {
                // On macOS it would be the file-based keychain, which has no accessibility.
                call.status = errSecParam
                call.note = "no kSecUseDataProtectionKeychain"
            } else {
                do { try body() } catch let refusal as Refusal {
                    call.status = refusal.status; call.note = refusal.note
                } catch {
                    call.status = errSecParam
                }
            }
            if call.status == errSecSuccess, name != "SecItemCopyMatching" { _writesLeft = _writesLeft.map { $0 - 1 } }
            _calls.append(call)
            return call.status
        }
    }

    private static func strings(_ dictionary: CFDictionary) throws -> [String: Any] {
        var out: [String: Any] = [:]
        for (key, value) in dictionary {
            guard let key = key as? String ?? (key as? NSString).map({ $0 as String }) else {
                throw Refusal(errSecParam, "a key is no string")
            }
            out[key] = (value as? NSString).map { $0 as String } ?? value
        }
        return out
    }

    private static let accessibility: Set<String> = [
        S(kSecAttrAccessibleWhenUnlocked), S(kSecAttrAccessibleAfterFirstUnlock),
        S(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly), S(kSecAttrAccessibleWhenUnlockedThisDeviceOnly),
        S(kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly),
    ]
    private nonisolated(unsafe) static let textKeys = [
        kSecAttrAccessGroup, kSecAttrAccount, kSecAttrService, kSecAttrServer, kSecAttrLabel, kSecAttrDescription,
        kSecAttrComment,
    ]
    private nonisolated(unsafe) static let boolKeys = [
        kSecReturnData, kSecReturnAttributes, kSecUseDataProtectionKeychain,
    ]
    private static let known: Set<String> = Set(
        (textKeys + boolKeys + [
            kSecClass, kSecAttrAccessible, kSecAttrAccessControl, kSecAttrSynchronizable, kSecAttrGeneric,
            kSecValueData,
            kSecMatchLimit, kSecUseAuthenticationContext,
        ]).map(S))

    private static func checkKnown(_ dictionary: [String: Any], needsClass: Bool = true) throws {
        for key in dictionary.keys where !known.contains(key) { throw Refusal(errSecNoSuchAttr, "unknown key \(key)") }
        for key in textKeys where dictionary[S(key)] != nil && !(dictionary[S(key)] is String) {
            throw Refusal(errSecParam, "\(key) must be a string")
        }
        for key in boolKeys where dictionary[S(key)] != nil && !(dictionary[S(key)] is Bool) {
            throw Refusal(errSecParam, "\(key) must be a boolean")
        }
        if let value = dictionary[S(kSecValueData)], !(value is Data) {
            throw Refusal(errSecParam, "kSecValueData must be data")
        }
        if let value = dictionary[S(kSecAttrGeneric)], !(value is Data) {
            throw Refusal(errSecParam, "kSecAttrGeneric must be data")
        }
        guard needsClass else { return }
        guard let kind = dictionary[S(kSecClass)] as? String else { throw Refusal(errSecParam, "no kSecClass") }
        guard [S(kSecClassGenericPassword), S(kSecClassInternetPassword)].contains(kind) else {
            throw Refusal(errSecUnimplemented, "class \(kind) is not in the shim")
        }
        if kind == S(kSecClassGenericPassword), dictionary[S(kSecAttrServer)] != nil {
            throw Refusal(errSecNoSuchAttr, "kSecAttrServer on a generic password")
        }
        if kind == S(kSecClassInternetPassword), dictionary[S(kSecAttrService)] != nil {
            throw Refusal(errSecNoSuchAttr, "kSecAttrService on an internet password")
        }
    }

    private static func checkProtection(_ item: inout [String: Any]) throws {
        let control = item[S(kSecAttrAccessControl)]
        if let value = item[S(kSecAttrAccessible)] {
            guard let value = value as? String, accessibility.contains(value) else {
                throw Refusal(errSecParam, "unknown accessibility")
            }
            if control != nil { throw Refusal(errSecParam, "kSecAttrAccessible and kSecAttrAccessControl together") }
            if value.hasSuffix("ThisDeviceOnly"), item[S(kSecAttrSynchronizable)] as? Bool == true {
                throw Refusal(errSecParam, "a ThisDeviceOnly item cannot synchronize")
            }
        } else if control == nil {
            item[S(kSecAttrAccessible)] = S(kSecAttrAccessibleWhenUnlocked)  // the documented default
        } else if !(control is SecAccessControl) {
            throw Refusal(errSecParam, "kSecAttrAccessControl must be a SecAccessControl")
        } else if item[S(kSecAttrSynchronizable)] as? Bool == true {
            throw Refusal(errSecParam, "an access-controlled item cannot synchronize")
        }
    }

    private static func forbid(_ dictionary: [String: Any], _ keys: [CFString], _ note: String) throws {
        for key in keys where dictionary[S(key)] != nil { throw Refusal(errSecParam, "\(key): \(note)") }
    }

    private static func returns(_ dictionary: [String: Any]) throws -> Set<String> {
        var out: Set<String> = []
        if dictionary[S(kSecReturnData)] as? Bool == true { out.insert("data") }
        if dictionary[S(kSecReturnAttributes)] as? Bool == true { out.insert("attributes") }
        return out
    }

    private static func primaryKey(_ item: [String: Any]) throws -> [String] {
        let names =
            item[S(kSecClass)] as? String == S(kSecClassGenericPassword)
            ? [kSecClass, kSecAttrService, kSecAttrAccount, kSecAttrAccessGroup]
            : [kSecClass, kSecAttrServer, kSecAttrAccount, kSecAttrAccessGroup]
        return names.map { item[S($0)] as? String ?? "" } + ["\(item[S(kSecAttrSynchronizable)] as? Bool ?? false)"]
    }

    private func group(_ dictionary: [String: Any]) throws -> String? {
        guard let group = dictionary[S(kSecAttrAccessGroup)] as? String else { return nil }
        guard _accessGroups.contains(group) else {
            throw Refusal(errSecMissingEntitlement, "no entitlement for \(group)")
        }
        return group
    }

    private func indices(_ query: [String: Any]) throws -> [Int] {
        _ = try group(query)
        let keys = [
            kSecClass, kSecAttrService, kSecAttrServer, kSecAttrAccount, kSecAttrAccessGroup, kSecAttrLabel,
            kSecAttrAccessible,
        ].map(S)
        return items.indices.filter { index in
            let item = items[index]
            if let account = item[S(kSecAttrAccount)] as? String, _hidden.contains(account) { return false }
            if query[S(kSecAttrSynchronizable)] as? String != S(kSecAttrSynchronizableAny),
                (item[S(kSecAttrSynchronizable)] as? Bool ?? false)
                    != (query[S(kSecAttrSynchronizable)] as? Bool ?? false)
            {
                return false
            }
            if let generic = query[S(kSecAttrGeneric)] as? Data, generic != item[S(kSecAttrGeneric)] as? Data {
                return false
            }
            return keys.allSatisfy { query[$0] == nil || query[$0] as? String == item[$0] as? String }
        }
    }

    private func checkLock(_ item: [String: Any]) throws {
        let access =
            item[S(kSecAttrAccessible)] as? String ?? (item[S(kSecAttrAccessControl)] as? SecAccessControl).map {
                $0.protection as String
            } ?? ""
        let whenUnlocked = access.contains("WhenUnlocked") || access.contains("WhenPasscodeSet")
        if _lock == .beforeFirstUnlock || (_lock == .locked && whenUnlocked) {
            throw Refusal(
                _hidesWhatIsLocked ? errSecItemNotFound : errSecInteractionNotAllowed, "the device is locked")
        }
    }

    private func authenticate(_ item: [String: Any], _ query: [String: Any]) throws {
        guard let control = item[S(kSecAttrAccessControl)] as? SecAccessControl, !control.flags.isEmpty else { return }
        if let bound = item[boundTo] as? Data, bound != _enrolment {
            throw Refusal(_statusOfInvalidated, "other faces than the item's")
        }
        let context = query[S(kSecUseAuthenticationContext)] as AnyObject?
        if let context = context as? any ShimAuthentication {
            if context.shimHasPassed { return }
            if context.interactionNotAllowed { throw Refusal(errSecInteractionNotAllowed, "nobody may be asked") }
        }
        prompts += 1
        let status = _authenticate(context)
        if status != errSecSuccess { throw Refusal(status, "user authentication") }
    }

    private static func shape(_ item: [String: Any], _ wants: Set<String>) -> AnyObject {
        guard wants.contains("attributes") else { return item[S(kSecValueData)] as! Data as NSData }
        var out = item
        if !wants.contains("data") { out[S(kSecValueData)] = nil }
        out[boundTo] = nil
        return out as NSDictionary
    }
}

private func S(_ string: CFString) -> String { string as String }
private let boundTo = "shim.enrolment"

/// The state of an LAContext that the keychain reads.
public protocol ShimAuthentication: AnyObject {
    var shimHasPassed: Bool { get }
    var interactionNotAllowed: Bool { get }
}

// MARK: access control
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let userPresence = Self(rawValue: 1 << 0)
    public static let biometryAny = Self(rawValue: 1 << 1)
    public static let biometryCurrentSet = Self(rawValue: 1 << 3)
    public static let devicePasscode = Self(rawValue: 1 << 4)
    public static let or = Self(rawValue: 1 << 14)
    public static let and = Self(rawValue: 1 << 15)
    public static let privateKeyUsage = Self(rawValue: 1 << 30)
}

public final class SecAccessControl {
    let protection: CFString
    let flags: SecAccessControlCreateFlags
    init(_ protection: CFString, _ flags: SecAccessControlCreateFlags) {
        self.protection = protection; self.flags = flags
    }
}

public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    guard let protection = protection as? NSString else {
        error?.pointee = .passRetained(NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam)))
        return nil
    }
    return SecAccessControl(protection, flags)
}
