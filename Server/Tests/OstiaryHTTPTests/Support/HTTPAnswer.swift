import OstiaryContracts

/// One response as it was received over the socket.
struct HTTPAnswer {
    let status: Int
    /// The headers in their order, with names in lower case.
    let headers: [(name: String, value: String)]
    let body: String

    /// - Parameter text: All bytes of a connection with one answer.
    init(_ text: String) throws {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = parts[0].split(separator: "\r\n")
        guard parts.count == 2, let first = lines.first, first.hasPrefix("HTTP/1.1 "),
            let status = Int(first.dropFirst(9).prefix(3))
        else { throw Unreadable() }
        self.status = status
        headers = lines.dropFirst().map { line in
            let field = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (field[0].lowercased(), field.count > 1 ? String(field[1].drop { $0 == " " }) : "")
        }
        body = String(parts[1])
    }

    struct Unreadable: Error {}

    /// The value of a header that occurs once; nil if it does not.
    subscript(name: String) -> String? {
        let values = headers.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }

    var json: JSON { get throws { try JSON.read(Array(body.utf8)) } }
}

extension LiveServer {
    func ask(_ path: String, host: String = "localhost") async throws -> HTTPAnswer {
        try await ask("GET", path, host: host)
    }

    /// Sends a request on a connection of its own.
    func ask(
        _ method: String, _ path: String, _ headers: [String: String] = [:], host: String = "localhost",
        body: String = ""
    ) async throws -> HTTPAnswer {
        var text = "\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        return try HTTPAnswer(try await RawConnection.exchange(port: port, "\(text)\r\n\(body)"))
    }

    /// Sends a JSON body.
    func post(_ path: String, _ body: String, method: String = "POST") async throws -> HTTPAnswer {
        try await ask(method, path, ["Content-Type": "application/json"], body: body)
    }
}
