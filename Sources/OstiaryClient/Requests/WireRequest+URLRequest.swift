import Foundation
import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension WireRequest {
    /// Converts a request built by the app.
    ///
    /// - Throws: ``ClientError/invalidRequest(_:)`` if its URL is not below the base URL, because the session's token
    ///   must not be sent anywhere else; and for a body that is a stream.
    init(_ request: URLRequest, below baseURL: BaseURL) throws(ClientError) {
        guard request.httpBodyStream == nil else {
            throw .invalidRequest("a stream cannot be sent again: give the body as data")
        }
        guard let url = request.url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
            let path = parts.path(below: baseURL)
        else { throw .invalidRequest("the URL is not below the client's base URL") }
        self.init(
            method: request.httpMethod ?? "GET", path: path, query: parts.percentEncodedQuery ?? "",
            headers: request.allHTTPHeaderFields ?? [:], body: request.httpBody.map { Array($0) } ?? [])
    }
}

extension URLComponents {
    /// Compares byte by byte after normalizing scheme, host and port; a URL that is not clearly below the base URL is
    /// rejected.
    fileprivate func path(below baseURL: BaseURL) -> String? {
        guard let scheme, let host, user == nil, password == nil else { return nil }
        // An IPv6 address has its brackets or not, depending on the platform.
        let bracketed = host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[") ? "[\(host)]" : host
        let port = port.map { ":\($0)" } ?? ""
        guard let origin = try? BaseURL("\(scheme)://\(bracketed)\(port)", allowsPlainHTTP: true) else { return nil }
        let base = Array(baseURL.text.utf8)
        let full = Array((origin.text + percentEncodedPath).utf8)
        guard full.starts(with: base), full.count == base.count || full[base.count] == UInt8(ascii: "/") else {
            return nil
        }
        return String(decoding: full[base.count...], as: UTF8.self)
    }
}

extension URLRequest {
    /// The timeout set by the app; nil for URLRequest's default.
    var ownDeadline: Duration? {
        let standard: TimeInterval = 60
        guard timeoutInterval.isFinite, timeoutInterval > 0, timeoutInterval != standard else { return nil }
        return .seconds(min(timeoutInterval, 86_400))
    }
}
