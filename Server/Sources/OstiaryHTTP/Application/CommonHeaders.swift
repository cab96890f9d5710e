/// The headers of every response, unless the response sets its own.
struct CommonHeaders: Sendable {
    private let headers: [(name: String, value: String)]
    private let lines: HeaderLines

    init(isSecure: Bool) {
        var headers: [(name: String, value: String)] = [
            ("cache-control", "no-store"), ("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ]
        if isSecure { headers.append(("strict-transport-security", "max-age=31536000; includeSubDomains")) }
        self.headers = headers
        lines = HeaderLines(headers)
    }

    /// Returns these headers, the request's id, and the response's own headers, which replace them.
    func adding(id: String, _ own: [String: String]) -> HeaderLines {
        var all = HeaderLines()
        // Enough for most responses.
        all.reserveCapacity(1024)
        if own.keys.contains(where: includes) {
            for (name, value) in headers { all.append(name, own[name] ?? value) }
        } else {
            all.append(lines)
        }
        all.append("x-request-id", id)
        for (name, value) in own where !includes(name) { all.append(name, value) }
        return all
    }

    private func includes(_ name: String) -> Bool {
        headers.contains { $0.name.utf8.count == name.utf8.count && $0.name.utf8.elementsEqual(name.utf8) }
    }
}
