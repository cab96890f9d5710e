/// Detects whether the environment routes plain HTTP through a proxy.
///
/// libcurl, below URLSession on Linux, applies these variables regardless of the session's configuration. A proxy
/// cannot read requests over TLS; a plain request discloses the bearer token to it.
enum PlainHTTPProxy {
    static func reads(_ baseURL: BaseURL, environment: [String: String]) -> Bool {
        // libcurl does not read the upper-case HTTP_PROXY, because a CGI request could set it.
        let proxies = ["http_proxy", "all_proxy", "ALL_PROXY"].compactMap { environment[$0] }
        guard baseURL.isPlainHTTP, proxies.contains(where: { !$0.isEmpty }) else { return false }
        let exempt = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").lowercased()
        return !exempt.split(whereSeparator: { $0 == "," || $0 == " " }).contains { $0 == "*" || $0 == baseURL.host }
    }
}
