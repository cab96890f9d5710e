import OstiaryAdmin

/// The cursors of a list's pages, which commands know as positions.
struct CursorPositions {
    private var cursors: [String] = []
    private var seen: Set<[UInt8]> = []

    /// Returns the cursor at a position. The list begins anew without one.
    mutating func cursor(at position: Int?) -> String? {
        guard let position else {
            self = CursorPositions()
            return nil
        }
        return cursors.indices.contains(position) ? cursors[position] : nil
    }

    /// Returns the position of a cursor that the server answered.
    ///
    /// - Throws: ``AdminError/repeatedCursor`` for one that it answered before.
    mutating func position(of cursor: String) throws(AdminError) -> Int {
        guard seen.insert(Array(cursor.utf8)).inserted else { throw .repeatedCursor }
        cursors.append(cursor)
        return cursors.count - 1
    }
}
