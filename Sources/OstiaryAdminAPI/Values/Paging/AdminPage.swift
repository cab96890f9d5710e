/// A page of a list.
public struct AdminPage<Item: AdminValue>: AdminValue {
    /// The items.
    public var items: [Item] = []
    /// The cursor of the next page; nil for the last one.
    public var nextCursor: String?

    /// The name of the value's schema.
    public static var schemaName: String { Item.schemaName + "Page" }
    /// The members of the JSON object.
    public static var members: [AdminMember<AdminPage<Item>>] {
        [.required("items", \.items, .list(.object)), .nullable("next_cursor", \.nextCursor, .text())]
    }
    /// Creates an empty page.
    public init() {}

    /// Creates a page from its parts.
    public init(_ items: [Item], nextCursor: String? = nil) {
        self.items = items
        self.nextCursor = nextCursor
    }
}
