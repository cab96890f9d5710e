import OstiaryAdminAPI
import OstiaryContracts
import OstiaryCore
import OstiaryEngine

/// A request to the admin API whose key, app and scope were checked.
struct AdminRequest: Sendable {
    let operation: AdminOperation
    /// The values of the path's parameters, in their order.
    let values: [String]
    let wire: WireRequest
    let server: ServerAdministration

    /// Returns the value of a parameter of the path; empty for one that the path does not have.
    func value(_ name: String) -> String {
        zip(operation.pathParameters, values).first { $0.0 == name }?.1 ?? ""
    }

    /// The administration of the app that the path names.
    var app: Administration {
        get throws(AdministrationProblem) { try server.app(value("app")) }
    }

    /// The id of the account that the path names.
    var account: AccountID {
        get throws { try id("account") { (text) throws(FieldProblem) in try AccountID(text) } }
    }

    /// Returns the id that the path has for a parameter.
    ///
    /// - Throws: ``AdminRefusal/notFound`` for text that is no id.
    func id<ID>(_ name: String, _ make: (String) throws(FieldProblem) -> ID) throws(AdminRefusal) -> ID {
        do { return try make(value(name)) } catch { throw .notFound }
    }

    /// The path, with its parameters in their one encoding.
    var canonicalPath: String { operation.path(values) ?? wire.path }

    /// The cursors of a list with the filters of this request.
    func cursors(_ query: some AdminPagedQuery) -> AdminCursors {
        var filters = query
        filters.cursor = nil
        filters.limit = nil
        return AdminCursors(keys: server.server.keys, binding: [canonicalPath, filters.query])
    }

    /// Returns a page of a list that is read as a whole.
    func page<Item: AdminValue>(_ items: [Item], _ query: some AdminPagedQuery) throws -> AdminPage<Item> {
        let cursors = cursors(query)
        let start = try cursors.position(query.cursor).map { try cursors.integer($0) } ?? 0
        let rest = items.dropFirst(start)
        let page = rest.prefix(query.pageLimit)
        let next = rest.count > page.count ? cursors.cursor(String(start + page.count)) : nil
        return AdminPage(Array(page), nextCursor: next)
    }
}

extension AdminPagedQuery {
    /// The number of items in a page.
    var pageLimit: Int { limit ?? AdminAPI.defaultPageLimit }
}
