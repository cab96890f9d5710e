/// Whether the environment sends plain HTTP through a proxy.
///
/// libcurl, below URLSession on Linux, heeds these variables whatever the session's configuration says. Requests over TLS
/// go through a proxy unread; a plain one hands it the bearer token.
enum PlainHTTPProxy {
    static func reads(_ baseURL: BaseURL, environment: [String: String]) -> Bool {
        // Upper-case HTTP_PROXY is not read by libcurl: a CGI request could set it.
        let proxies = ["http_proxy", "all_proxy", "ALL_PROXY"].compactMap { environment[$0] }
        guard baseURL.isPlainHTTP, proxies.contains(where: { !$0.isEmpty }) else { return false }
        let exempt = (environment["no_proxy"] ?? environment["NO_PROXY"] ?? "").lowercased()
        return !exempt.split(whereSeparator: { $0 == "," || $0 == " " }).contains { $0 == "*" || $0 == baseURL.host }
    }
}
