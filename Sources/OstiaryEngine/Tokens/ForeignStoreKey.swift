/// None of the configured encryption keys is that of the store.
public struct ForeignStoreKey: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and its remedy.
    public var description: String {
        "The store was written with another encryption_key: configure that one, as encryption_key or in encryption_keys."
    }
}
