/// Rows in their order, which are read from the store a page at a time: memory does not grow with their number.
public struct PagedRows<Row: Sendable>: Sendable {
    private let read: @Sendable (_ body: (_ page: [Row]) async throws -> Void) async throws -> Void

    /// Creates rows from a function that reads them.
    ///
    /// - Parameter page: Returns the rows after a position, `nil` for the first ones, and the position of the last; the position is
    ///   `nil` if there are no more.
    public init<Position: Sendable>(
        _ page: @escaping @Sendable (_ position: Position?) async throws -> (page: [Row], position: Position?)
    ) {
        read = { body in
            var position: Position?
            repeat {
                let (rows, next) = try await page(position)
                try await body(rows)
                position = next
            } while position != nil
        }
    }

    /// Reads the rows and passes each page to `body`, before it reads the next one.
    ///
    /// - Throws: The error of the store or of `body`, either of which ends it.
    public func forEachPage(_ body: (_ page: [Row]) async throws -> Void) async throws { try await read(body) }
}
