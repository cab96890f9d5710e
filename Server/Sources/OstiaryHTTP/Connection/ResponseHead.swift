/// The status and the headers of an answer.
package struct ResponseHead: Sendable {
    package let status: Int
    package var headers: HeaderLines
    /// `true` if the connection ends with the answer.
    var closes = false

    package init(status: Int, headers: HeaderLines = HeaderLines()) {
        self.status = status
        self.headers = headers
    }

    /// `false` for an answer that ends with its head. Source: RFC 9110 §6.4.1.
    var mayHaveBody: Bool { status >= 200 && status != 204 && status != 304 }
}
