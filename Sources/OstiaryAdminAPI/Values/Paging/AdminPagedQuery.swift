/// A query of a list, which is answered page by page.
public protocol AdminPagedQuery: AdminValue {
    /// The maximum number of items in a page; nil for ``AdminAPI/defaultPageLimit``.
    var limit: Int? { get set }
    /// The position after which the page begins; nil for the first page.
    var cursor: String? { get set }
}

extension AdminPageQuery: AdminPagedQuery {}
extension AdminAccountQuery: AdminPagedQuery {}
extension AdminAuditQuery: AdminPagedQuery {}
extension AdminMessageQuery: AdminPagedQuery {}
extension AdminEventEndpointQuery: AdminPagedQuery {}
extension AdminEventDeliveryQuery: AdminPagedQuery {}
