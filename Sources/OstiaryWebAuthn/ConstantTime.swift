/// Comparison of secrets.
enum ConstantTime {
    /// Returns `true` if both are equal, in a time that does not depend on the position of a difference; different
    /// lengths return early.
    static func isEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
