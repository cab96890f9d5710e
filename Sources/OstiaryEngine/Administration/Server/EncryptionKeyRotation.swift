import Foundation

/// Seals the values of a store again with the newest encryption key, page by page, while servers use the store.
///
/// Resumable: a value that the newest key opens is left as it is. A value that is changed meanwhile is left to the change, whose
/// writer seals with the newest key too, or is found by the next pass.
public struct EncryptionKeyRotation: Sendable {
    /// The number of values in a page.
    public static let pageSize = 500
    /// The number of values that are written at the same time: fewer than the connections that requests need too.
    private static let concurrentWrites = 8

    private let store: any SealedValueStore
    private let keys: KeyRing

    /// Creates a rotation.
    public init(store: any SealedValueStore, keys: KeyRing) {
        self.store = store
        self.keys = keys
    }

    /// The numbers of values by the key that opens them.
    public struct Counts: Codable, Hashable, Sendable {
        /// Sealed with the newest key, those of ``resealed`` included.
        public var current = 0
        /// Sealed with an earlier key that is configured.
        public var earlier = 0
        /// Sealed with an unknown key, or damaged.
        public var unreadable = 0
        /// Sealed again by this rotation.
        public var resealed = 0

        /// Creates counts of zero.
        public init() {}

        /// Adds the counts of another page.
        public static func += (one: inout Counts, other: Counts) {
            one.current += other.current
            one.earlier += other.earlier
            one.unreadable += other.unreadable
            one.resealed += other.resealed
        }
    }

    /// Examines a page of values.
    ///
    /// - Parameter reseals: `true` to seal values of earlier keys again.
    /// - Returns: The page's counts, and the position of its last value; nil after the last page.
    public func page(
        of kind: SealedValue.Kind, after position: SealedValue.Position?, reseals: Bool
    ) async throws -> (counts: Counts, next: SealedValue.Position?) {
        let page = try await store.sealedValues(kind, after: position, limit: Self.pageSize)
        let counts = try await withThrowingTaskGroup(of: Counts.self) { group in
            var counts = Counts()
            for (index, value) in page.enumerated() {
                if index >= Self.concurrentWrites { counts += try await group.next() ?? Counts() }
                group.addTask { try await examine(value, reseals: reseals) }
            }
            for try await other in group { counts += other }
            return counts
        }
        return (counts, page.last?.position)
    }

    private func examine(_ value: SealedValue, reseals: Bool) async throws -> Counts {
        var counts = Counts()
        guard let plain = try? plain(of: value) else {
            counts.unreadable = 1
            return counts
        }
        if plain.isCurrent {
            counts.current = 1
        } else if reseals, try await store.replace(value, with: sealed(plain.bytes, as: value)) {
            counts.current = 1
            counts.resealed = 1
        } else {
            counts.earlier = 1
        }
        return counts
    }

    private func plain(of value: SealedValue) throws -> (bytes: [UInt8], isCurrent: Bool) {
        let opened = try keys.opened(value.bytes, for: value.kind.purpose, context: value.context)
        guard value.kind == .factorUndo else { return (opened.plain, opened.key == 0) }
        // The removed factors inside have secrets that are sealed themselves.
        let payload = try JSONDecoder().decode(FactorUndoPayload.self, from: Data(opened.plain))
        let resealed = try payload.resealed(in: value.names[0], with: keys)
        guard let resealed else { return (opened.plain, opened.key == 0) }
        return (Array(try JSONEncoder().encode(resealed)), false)
    }

    private func sealed(_ plain: [UInt8], as value: SealedValue) throws -> [UInt8] {
        try keys.seal(plain, for: value.kind.purpose, context: value.context)
    }
}

extension FactorUndoPayload {
    /// Returns the payload with the secrets of authenticator apps sealed with the newest key; nil if they are.
    fileprivate func resealed(in app: String, with keys: KeyRing) throws -> FactorUndoPayload? {
        var payload = self
        var hasChanged = false
        for (index, factor) in removedFactors.enumerated() where factor.kind == Factor.Kind.totp.rawValue {
            let context = SealedValue.Kind.factor.context(app, account, factor.id)
            let opened = try keys.opened(Array(factor.material), for: .factors, context: context)
            guard opened.key > 0 else { continue }
            payload.removedFactors[index].material = Data(
                try keys.seal(opened.plain, for: .factors, context: context))
            hasChanged = true
        }
        return hasChanged ? payload : nil
    }
}
