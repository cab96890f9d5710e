import OstiaryEngine

/// The hosts by which administrators call the admin listener.
///
/// A browser that a page's own host name has led here (DNS rebinding) sends that name: names are accepted only if the
/// configuration has them or they stand for this machine. An address is no name.
package struct AdminHosts: Sendable {
    /// In lower case, without a port; nil where none is configured.
    private let configured: String?

    /// - Parameter publicURL: The configured origin of the admin listener.
    package init(publicURL: String?) {
        let authority = publicURL.flatMap { url in
            url.utf8.firstRange(of: "://".utf8).map { String(url[$0.upperBound...]) }
        }
        configured = authority.map { ServerApplication.host(of: $0) }
    }

    /// - Parameter authority: The Host header, with its port if it has one.
    func accepts(authority: String?) -> Bool {
        guard let authority, !authority.isEmpty else { return false }
        let host = ServerApplication.host(of: authority)
        if let configured, configured.utf8.elementsEqual(host.utf8) { return true }
        return IPAddress.isLoopback(host: host) || Self.isAddress(host)
    }

    private static func isAddress(_ host: String) -> Bool {
        let isBracketed = host.utf8.first == UInt8(ascii: "[") && host.utf8.last == UInt8(ascii: "]")
        return IPAddress(isBracketed ? String(host.dropFirst().dropLast()) : host) != nil
    }
}
