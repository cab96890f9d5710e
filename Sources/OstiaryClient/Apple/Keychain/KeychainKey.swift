#if canImport(Security) && canImport(LocalAuthentication) && !os(tvOS) && !os(watchOS)
import Foundation
import LocalAuthentication
import OstiaryCore
import Security
import Synchronization

/// A key that the keychain releases only to a face or finger of the biometric enrolment at its creation.
final class KeychainKey: SealingKeySource {
    static let sourceName = "keychain"

    let name = KeychainKey.sourceName
    let person: BoundPerson
    private let account: String
    private let keychain: Keychain
    private let protectedData: ProtectedData
    private let queue = KeychainQueue()
    private let state = Mutex(State())

    private struct State {
        var asking: Task<Result<SealingKey?, StoreProblem>, Never>?
        /// The key in memory, after a passed prompt or its creation.
        var known: SealingKey?
    }

    /// The outcome of reading the key.
    private enum Outcome: Sendable {
        case released(SealingKey)
        case missing
        /// The enrolment at the key's creation is gone.
        case invalidated
    }

    init(of person: BoundPerson, account: String, keychain: Keychain, _ protectedData: ProtectedData) {
        self.person = person
        self.account = account
        self.keychain = keychain
        self.protectedData = protectedData
    }

    /// Returns the key, with one prompt that all concurrent callers share.
    func key() async throws(StoreProblem) -> SealingKey? {
        let task = state.withLock { state in
            let task = state.asking ?? Task { await ask() }
            state.asking = task
            return task
        }
        return try await task.value.get()
    }

    private func ask() async -> Result<SealingKey?, StoreProblem> {
        defer { state.withLock { $0.asking = nil } }
        if let known { return .success(known) }
        do throws(StoreProblem) {
            let outcome = try await protectedData.read(
                failingWith: .sealingKey(.locked, source: name),
                isMissing: { if case .released = $0 { false } else { true } }
            ) { () async throws(StoreProblem) in try await readKey() }
            switch outcome {
            case .released(let key):
                known = key
                return .success(key)
            case .missing: return .success(nil)
            case .invalidated:
                // Makes room for another.
                try await remove()
                return .success(nil)
            }
        } catch { return .failure(error) }
    }

    private var known: SealingKey? {
        get { state.withLock { $0.known } }
        set { state.withLock { $0.known = newValue } }
    }

    /// Forgets the key in memory unless it has sealed an item: another process may have replaced it.
    func forget(unlessSealing mark: SealingKeyReference) {
        guard mark.source == name else { return }
        state.withLock { if let known = $0.known, known.id != mark.id { $0.known = nil } }
    }

    /// Forgets the key in memory if the keychain has none: another process may have removed it with the last session.
    func forgetUnlessStored() async throws(StoreProblem) {
        guard let known else { return }
        let isStored = try await protectedData.read(
            failingWith: .sealingKey(.locked, source: name), isMissing: { !$0 }
        ) { () async throws(StoreProblem) -> Bool in
            try await queue.run { [self] () throws(StoreProblem) in try isThere() }
        }
        guard !isStored else { return }
        state.withLock { if $0.known?.id == known.id { $0.known = nil } }
    }

    private func readKey() async throws(StoreProblem) -> Outcome {
        guard try await queue.run({ [self] () throws(StoreProblem) in try isThere() }) else { return .missing }
        guard person.mayBeAsked else { throw .sealingKey(.locked, source: name) }
        let prompt = person.device()
        switch prompt.problem(.deviceOwnerAuthenticationWithBiometrics) {
        case nil: break
        case .biometryNotEnrolled, .passcodeNotSet: return .invalidated
        case .biometryLockout: throw .sealingKey(.locked, source: name)
        default: throw .sealingKey(.unreachable, source: name)
        }
        switch await prompt.ask(.deviceOwnerAuthenticationWithBiometrics, person.reason) {
        case nil: break
        case .userCancel, .userFallback, .authenticationFailed:
            // The store is read repeatedly; the person must not be prompted each time.
            person.refuse()
            throw .sealingKey(.locked, source: name)
        // Interrupted, for example by a call or because the prompt was not visible: the person has not declined.
        default: throw .sealingKey(.locked, source: name)
        }
        let shown = try await queue.run { [self] () throws(StoreProblem) in try key(shownTo: prompt) }
        return shown.map(Outcome.released) ?? .invalidated
    }

    /// Returns `true` if the key exists, without a prompt.
    private func isThere() throws(StoreProblem) -> Bool {
        var query = keychain.query(account)
        query[kSecReturnAttributes as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitOne
        let context = LAContext()
        context.interactionNotAllowed = true
        query[kSecUseAuthenticationContext as String] = context
        var result: CFTypeRef?
        switch SecItemCopyMatching(query as CFDictionary, &result) {
        case errSecSuccess, errSecInteractionNotAllowed: return true
        case errSecItemNotFound: return false
        case let status: throw .keychain(status: status)
        }
    }

    /// Reads the key after the person has passed the prompt, so that a refusal means that the enrolment has changed.
    ///
    /// - Returns: `nil` if the keychain refuses the key or no longer has it.
    private func key(shownTo prompt: DevicePrompt) throws(StoreProblem) -> SealingKey? {
        let (status, value): (OSStatus, Data?) = prompt.withContext { context in
            var query = keychain.query(account)
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            query[kSecUseAuthenticationContext as String] = context
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            return (status, result as? Data)
        }
        switch status {
        case errSecSuccess:
            guard let value, let key = SealingKey(Array(value)) else {
                throw .sealingKey(.malformed, source: name)
            }
            return key
        case errSecItemNotFound, errSecAuthFailed: return nil
        case errSecUserCanceled, errSecInteractionNotAllowed: throw .sealingKey(.locked, source: name)
        default: throw .keychain(status: status)
        }
    }

    func makeKey() async throws(StoreProblem) -> SealingKey {
        try await queue.run { [self] () throws(StoreProblem) in try newKey() }
    }

    private func newKey() throws(StoreProblem) -> SealingKey {
        if let known { return known }
        let key = SealingKey()
        // Removing the device's passcode also removes the item, as no enrolment is left then.
        let control = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)
        guard let control else { throw .sealingKey(.unreachable, source: name) }
        var attributes = keychain.query(account)
        attributes[kSecValueData as String] = Data(key.bytes.reveal())
        attributes[kSecAttrAccessControl as String] = control
        switch SecItemAdd(attributes as CFDictionary, nil) {
        case errSecSuccess:
            known = key
            return key
        // Another process has created a key in the meantime and sealed its sessions with it.
        case errSecDuplicateItem: throw .busy
        default: throw .sealingKey(.unreachable, source: name)
        }
    }

    func remove() async throws(StoreProblem) {
        try await queue.run { [self] () throws(StoreProblem) in try removeNow() }
    }

    private func removeNow() throws(StoreProblem) {
        known = nil
        let status = SecItemDelete(keychain.query(account) as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else { throw .keychain(status: status) }
    }
}
#endif
