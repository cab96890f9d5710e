import OstiaryEngine

/// A server's listening address: `HOST:PORT`, an IPv6 address in brackets. Port 0 stands for any free port.
package struct ListenAddress: Hashable, Sendable {
    /// An address without brackets, or a name.
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    init(_ setting: Setting) throws(ConfigurationProblem) {
        let text = try setting.string()
        guard let colon = text.lastIndex(of: ":"), let port = Self.port(text[colon...].dropFirst()),
            let host = Self.host(text[..<colon])
        else { throw setting.problem("needs HOST:PORT, for example 127.0.0.1:3001 or [::1]:3001") }
        self.init(host: host, port: port)
    }

    private static func port(_ text: Substring) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy(\.isDigit) else { return nil }
        return Int(text).flatMap { $0 <= 65535 ? $0 : nil }
    }

    private static func host(_ text: Substring) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            return IPAddress(inner).flatMap { _ in inner.contains(":") ? inner : nil }
        }
        return HostName(String(text))?.text
    }

    package var isLoopback: Bool { IPAddress.isLoopback(host: host) }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
