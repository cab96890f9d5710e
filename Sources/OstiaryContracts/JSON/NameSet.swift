/// The names of one object, told apart by their bytes. Most objects have few, which a look at each finds sooner than a hash.
struct NameSet {
    private var few: [String] = []
    private var many: Set<[UInt8]> = []
    private static let fewest = 8

    /// - Returns: False for a name that is there already.
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
