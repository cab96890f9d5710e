import Foundation
import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The request as URLSession sends it.
    ///
    /// - Throws: ``TransportError/unsendable`` for a path, query, method or header that would end up as something else than
    ///   what it says: elsewhere than below the base URL, or as another header.
    init(_ request: WireRequest, to baseURL: BaseURL, within deadline: Duration) throws(TransportError) {
        let target = request.query.isEmpty ? request.path : "\(request.path)?\(request.query)"
        guard RequestTarget.isPlainPath(request.path), RequestTarget.isPlainQuery(request.query),
            HeaderText.isToken(request.method), let url = URL(string: baseURL.text + target)
        else { throw .unsendable }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: deadline.timeInterval)
        httpMethod = request.method
        httpShouldHandleCookies = false
        for (name, value) in request.headers {
            guard HeaderText.isToken(name), HeaderText.isValue(value) else { throw .unsendable }
            setValue(value, forHTTPHeaderField: name)
        }
        if !request.body.isEmpty { httpBody = Data(request.body) }
    }
}

/// What HTTP's header lines can carry. Source: RFC 9110 §5.5 and §5.6.2.
private enum HeaderText {
    static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// Visible ASCII, spaces and tabs. CR, LF and NUL above all: they would begin another header or request.
    static func isValue(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x09 }
    }
}

extension Duration {
    var timeInterval: TimeInterval { TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18 }
}
