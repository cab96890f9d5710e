/// The names of one object, compared by bytes. Most objects have few names, for which a linear search is faster than
/// hashing.
struct NameSet {
    private var few: [String] = []
    private var many: Set<[UInt8]> = []
    /// The number of names up to which the search is linear.
    private static let fewest = 8

    /// Inserts a name.
    ///
    /// - Returns: `false` if the name is already present.
    mutating func insert(_ name: String) -> Bool {
        if many.isEmpty {
            if few.contains(where: { $0.utf8.elementsEqual(name.utf8) }) { return false }
            few.append(name)
            if few.count > Self.fewest { many = Set(few.map { Array($0.utf8) }) }
            return true
        }
        return many.insert(Array(name.utf8)).inserted
    }
}
