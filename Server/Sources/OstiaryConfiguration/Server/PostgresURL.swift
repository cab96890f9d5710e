import Foundation
import OstiaryEngine

/// The hosts and parameters of a PostgreSQL connection URI. Messages never contain a value of it: it holds a password.
///
/// Source: PostgreSQL documentation, 34.1.1.2 Connection URIs.
struct PostgresURL {
    /// Host names, addresses, and folders of Unix sockets.
    let hosts: [String]
    let parameters: [String: String]
    /// The URI with `***` for each secret.
    let masked: String

    /// The requirement that a refused URI violates.
    struct Problem: Error {
        let need: String
    }

    init(_ text: String) throws(Problem) {
        guard let separator = text.firstRange(of: "://") else { throw Self.form }
        let (location, query) = text[separator.upperBound...].split(at: "?")
        let (authority, database) = location.split(at: "/")
        // libpq ends the user at the first `@`, other parsers at the last.
        guard authority.count(where: { $0 == "@" }) <= 1 else { throw Self.form }
        let at = authority.firstIndex(of: "@")
        let user = at.map { authority[..<$0] }
        let servers = at.map { authority[$0...].dropFirst() } ?? authority
        guard [user, database].allSatisfy({ $0?.isPercentEncoded ?? true }) else { throw Self.form }

        parameters = try Self.parameters(query)
        var hosts = try Self.hosts(servers)
        for name in ["host", "hostaddr"] {
            hosts += parameters[name]?.split(separator: ",").map(String.init) ?? []
        }
        guard !hosts.isEmpty, !database.isEmpty || parameters["dbname"] != nil else { throw Self.form }
        self.hosts = hosts
        masked = Self.masked(
            scheme: text[..<separator.lowerBound], user: user, servers: servers, database: database, query: query)
        try PostgresParameter.check(parameters)
    }

    /// `true` if every host is a Unix socket or a loopback address.
    var isLocal: Bool { hosts.allSatisfy { $0.hasPrefix("/") || IPAddress.isLoopback(host: $0) } }

    /// `true` if connections without TLS are refused.
    var isEncrypted: Bool { ["require", "verify-ca", "verify-full"].contains(parameters["sslmode"]) }

    private static let form = Problem(need: "needs postgres://user:password@host1,host2/dbname?…")

    private static func parameters(_ query: Substring) throws(Problem) -> [String: String] {
        var parameters: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let (name, value) = pair.split(at: "=")
            guard !name.isEmpty, !value.isEmpty, value.isPercentEncoded,
                let text = String(value).removingPercentEncoding
            else { throw Problem(need: "needs parameters of the form name=value, with %XX for special characters") }
            guard parameters.updateValue(text, forKey: String(name)) == nil else {
                throw Problem(need: "needs each parameter once")
            }
        }
        return parameters
    }

    private static func hosts(_ servers: Substring) throws(Problem) -> [String] {
        guard !servers.isEmpty else { return [] }
        var hosts: [String] = []
        for host in servers.split(separator: ",", omittingEmptySubsequences: false) {
            if host.hasPrefix("%2F") || host.hasPrefix("%2f") {
                guard let folder = String(host).removingPercentEncoding else { throw form }
                hosts.append(folder)
            } else {
                guard let (name, _) = URLParts.hostAndPort(host) else { throw form }
                hosts.append(name)
            }
        }
        return hosts
    }

    private static func masked(
        scheme: Substring, user: Substring?, servers: Substring, database: Substring, query: Substring
    ) -> String {
        var text = "\(scheme)://"
        if let user {
            let (name, password) = user.split(at: ":")
            text += password.isEmpty ? "\(name)@" : "\(name):\(Outline.mask)@"
        }
        text += "\(servers)/\(database)"
        guard !query.isEmpty else { return text }
        let pairs = query.split(separator: "&").map { pair in
            let (name, value) = pair.split(at: "=")
            return "\(name)=\(PostgresParameter.secrets.contains(String(name)) ? Outline.mask[...] : value)"
        }
        return "\(text)?\(pairs.joined(separator: "&"))"
    }
}

extension Substring {
    /// Returns the parts before and after the first `separator`; the whole text and an empty one where there is none.
    fileprivate func split(at separator: Character) -> (Substring, Substring) {
        guard let index = firstIndex(of: separator) else { return (self, self[endIndex...]) }
        return (self[..<index], self[index...].dropFirst())
    }

    /// `true` if every `%` begins a byte in hexadecimal digits, and none a NUL.
    fileprivate var isPercentEncoded: Bool {
        let bytes = Array(utf8)
        return bytes.indices.allSatisfy { index in
            guard bytes[index] == UInt8(ascii: "%") else { return true }
            let digits = bytes[(index + 1)...].prefix(2)
            return digits.count == 2 && digits.allSatisfy { $0.isDigit || (0x41...0x46).contains($0 & 0xDF) }
                && !digits.elementsEqual("00".utf8)
        }
    }
}
