import Foundation
import OstiaryClientTestSupport
import OstiaryContracts
import OstiaryCore
import Security
import Synchronization

@testable import OstiaryClient

/// A keychain for one test, and stores in it.
struct KeychainPlace: Sendable {
    /// The layout of the sessions in the keychain.
    enum Layout: String, CaseIterable, Sendable {
        case record, timetracker, clarity, barqnet, bound

        static let named: [Layout] = [.timetracker, .clarity, .barqnet]

        var rules: KeychainRules {
            switch self {
            case .record, .bound: KeychainRules()
            case .timetracker: Contract.timetracker.client.keychain
            case .clarity: Contract.clarity.client.keychain
            case .barqnet: Contract.barqnet.client.keychain
            }
        }
    }

    let rules: KeychainRules
    let shim: ShimKeychain
    let device = PlayedDevice()
    let isProtectedDataAvailable = Shared(true)
    let isBound: Bool
    private let held: Shared<KeychainBinding?>

    var service: String { rules.service ?? "" }

    init(_ layout: Layout = .record) { self.init(layout.rules, isBound: layout == .bound) }

    init(_ rules: KeychainRules, isBound: Bool = false) {
        var rules = rules
        rules.service = "test.\(UUID().uuidString)"
        self.rules = rules
        shim = ShimKeychain.of(service: rules.service ?? "")
        self.isBound = isBound
        held = Shared(nil)
    }

    var keychain: Keychain {
        Keychain(
            service: service, accessGroup: nil, accessible: rules.accessible, thisDeviceOnly: rules.thisDeviceOnly)
    }

    func binding() -> KeychainBinding {
        let binding = KeychainBinding(reason: "Open your notes") { [device] in device.prompt() }
        held.value = binding
        return binding
    }

    /// Returns another store on the same items, as in a program that is started again.
    func again(
        contract: String = SampleSessions.contract, baseURL: String? = nil, accessGroup: String? = nil,
        binding: KeychainBinding? = nil
    ) throws -> KeychainSessionStore {
        KeychainSessionStore(
            contract: contract, rules: rules,
            baseURL: try baseURL.map { try BaseURL($0) } ?? SampleSessions.baseURL, accessGroup: accessGroup,
            binding: binding ?? (isBound ? self.binding() : nil),
            protectedData: ProtectedData { [isProtectedDataAvailable] in isProtectedDataAvailable.value })
    }

    /// Returns the contents of an item as text.
    func text(_ account: String) -> String? { shim.value(account: account).map { String(decoding: $0, as: UTF8.self) } }

    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: shim.accounts.map { ($0, text($0) ?? "") })
    }

    func account(_ item: KeychainRules.Item) -> String { rules.items[item] ?? "" }

    /// Adds an item as an app without this SDK does: the value, and the system's default accessibility.
    func put(_ text: String, _ account: String) {
        remove(account)
        var attributes = query(account)
        attributes[kSecValueData as String] = Data(text.utf8)
        precondition(SecItemAdd(attributes as CFDictionary, nil) == errSecSuccess)
    }

    /// Replaces the value of an item and leaves its attributes, as such an app may.
    func replace(_ text: String, _ account: String) {
        let value = [kSecValueData as String: Data(text.utf8)]
        precondition(SecItemUpdate(query(account) as CFDictionary, value as CFDictionary) == errSecSuccess)
    }

    func remove(_ account: String) { _ = SecItemDelete(query(account) as CFDictionary) }

    private func query(_ account: String) -> [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecUseDataProtectionKeychain as String: true,
        ]
    }
}

/// A value that a test changes while other tasks read it.
final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>
    init(_ value: Value) { state = Mutex(value) }
    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0) } }
}

extension SessionStore {
    func put(_ saved: SavedSessions) async throws(StoreProblem) { try await change { $0 = saved } }

    var found: SavedSessions? {
        get async { if case .found(let saved) = await read() { saved } else { nil } }
    }
}
