/// The head of a request that the connection accepted. A reference, so that handlers pass it on at no cost.
package final class RequestHead: Sendable {
    /// The method, case-sensitive as on the request line.
    package let method: String
    /// The Host header as it was sent; nil in HTTP/1.0, which needs none.
    package let authority: String?
    /// Percent-encoded, without the query.
    package let path: String
    /// Percent-encoded, without its question mark; empty if there is none.
    package let query: String
    package let headers: HeaderList
    /// `true` for HEAD, whose answer has no body.
    let isHead: Bool
    /// `true` if the connection ends with the answer.
    let closes: Bool
    /// `true` if the client waits for an interim answer before it sends the body. Source: RFC 9110 §10.1.1.
    let expectsContinue: Bool

    package init(
        method: String, authority: String?, path: String, query: String = "", headers: HeaderList = HeaderList(),
        closes: Bool = false, expectsContinue: Bool = false
    ) {
        self.method = method
        self.authority = authority
        self.path = path
        self.query = query
        self.headers = headers
        self.closes = closes
        self.expectsContinue = expectsContinue
        isHead = method.utf8.elementsEqual("HEAD".utf8)
    }
}
