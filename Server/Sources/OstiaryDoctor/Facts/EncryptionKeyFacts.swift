/// The encryption keys, and what they seal.
package struct EncryptionKeyFacts: Hashable, Sendable {
    /// The number of configured keys.
    package var keyCount: Int
    /// The number of examined values that need an earlier key.
    package var earlierValues: Int
    /// The number of examined values that no configured key opens.
    package var unreadableValues: Int
    /// `true` if every value was examined.
    package var isComplete: Bool

    package init(keyCount: Int, earlierValues: Int = 0, unreadableValues: Int = 0, isComplete: Bool = false) {
        self.keyCount = keyCount
        self.earlierValues = earlierValues
        self.unreadableValues = unreadableValues
        self.isComplete = isComplete
    }
}
