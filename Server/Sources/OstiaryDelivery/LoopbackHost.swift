import NIOCore

/// Returns `true` if a host, in the form it has in a URL, is this machine: `localhost`, 127.0.0.0/8 or `::1`.
func isLoopback(_ host: String) -> Bool {
    let literal = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    if literal == "localhost" { return true }
    guard let address = try? SocketAddress(ipAddress: literal, port: 0) else { return false }
    return switch address {
    case .v4: literal.hasPrefix("127.")
    case .v6: address.ipAddress == "::1"
    case .unixDomainSocket: false
    }
}
