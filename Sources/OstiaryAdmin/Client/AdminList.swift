import Foundation
public import OstiaryAdminAPI

#if canImport(CryptoKit)
import CryptoKit
#else
import Crypto
#endif

/// A list of the admin API: an asynchronous sequence of its items, which requests one page after another.
///
/// ```swift
/// for try await account in admin.accounts(in: "vici") { … }
/// let page = try await admin.accounts(in: "vici", AdminAccountQuery(limit: 50)).page()
/// ```
public struct AdminList<Item: AdminValue>: AsyncSequence, Sendable {
    /// The items of the list.
    public typealias Element = Item
    /// The error of a page that could not be requested.
    public typealias Failure = AdminError

    private let request: @Sendable (_ cursor: String?) async throws(AdminError) -> AdminPage<Item>
    private let first: String?

    init(
        from first: String?,
        _ request: @escaping @Sendable (_ cursor: String?) async throws(AdminError) -> AdminPage<Item>
    ) {
        self.first = first
        self.request = request
    }

    /// Returns the one page at the query's cursor. Its `nextCursor` belongs to the query of the next page.
    ///
    /// - Throws: ``AdminError``.
    public func page() async throws(AdminError) -> AdminPage<Item> { try await request(first) }

    /// Returns an iterator from the query's cursor to the end of the list.
    public func makeAsyncIterator() -> Iterator { Iterator(request: request, next: .cursor(first)) }

    /// An iterator over the items of all pages.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate enum Next {
            case cursor(String?)
            case end
        }

        fileprivate let request: @Sendable (_ cursor: String?) async throws(AdminError) -> AdminPage<Item>
        fileprivate var next: Next
        private var items: ArraySlice<Item> = []
        /// The digests of the cursors that were requested or answered: cursors of a server have any length.
        private var cursors: Set<SHA256.Digest> = []

        fileprivate init(
            request: @escaping @Sendable (_ cursor: String?) async throws(AdminError) -> AdminPage<Item>, next: Next
        ) {
            self.request = request
            self.next = next
        }

        /// Returns the next item, from the next page if this one has no more; nil at the end.
        ///
        /// - Throws: ``AdminError``; the sequence has then ended.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(AdminError) -> Item? {
            // A page may be empty and yet not be the last one.
            while items.isEmpty {
                guard case .cursor(let cursor) = next else { return nil }
                next = .end
                let page = try await request(cursor)
                if let cursor { cursors.insert(Self.digest(cursor)) }
                if let following = page.nextCursor {
                    guard cursors.insert(Self.digest(following)).inserted else { throw .repeatedCursor }
                    next = .cursor(following)
                }
                items = page.items[...]
            }
            return items.popFirst()
        }

        private static func digest(_ cursor: String) -> SHA256.Digest { SHA256.hash(data: Data(cursor.utf8)) }

        /// Returns the next item; nil at the end.
        ///
        /// - Throws: ``AdminError``; the sequence has then ended.
        public mutating func next() async throws(AdminError) -> Item? { try await next(isolation: nil) }
    }
}

extension AdminClient {
    func list<Query: AdminPagedQuery, Item>(
        _ endpoint: AdminEndpoint<Query, AdminEmpty, AdminPage<Item>>, path: [String] = [], _ query: Query = Query()
    ) -> AdminList<Item> {
        AdminList(from: query.cursor) { [requests] cursor throws(AdminError) in
            var query = query
            query.cursor = cursor
            return try await requests.perform(
                endpoint, path: path, query: query, body: AdminEmpty(), idempotencyKey: nil)
        }
    }
}
