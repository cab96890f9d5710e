#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A check, before the server starts anything else, that an address can be listened on.
package enum BindCheck {
    /// The reason that an address cannot be listened on.
    package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case doesNotResolve(address: String)
        case isTaken(address: String)
        case isNotAllowed(address: String)
        case isNotOfThisMachine(address: String)
        case failed(address: String, code: Int32)

        package var description: String {
            switch self {
            case .doesNotResolve(let address): "\(address): cannot listen: the name of the host does not resolve"
            case .isTaken(let address): "\(address): cannot listen: the address is in use by another process"
            case .isNotAllowed(let address): "\(address): cannot listen: this user may not use the port"
            case .isNotOfThisMachine(let address): "\(address): cannot listen: this machine has no such address"
            case .failed(let address, let code): "\(address): cannot listen: \(String(cString: strerror(code)))"
            }
        }
    }

    /// Binds a socket to the address and closes it. The socket never listens, so no client is accepted and dropped.
    ///
    /// - Parameters:
    ///   - host: An IP address or a host name.
    ///   - port: 0 for any port, which is always free.
    ///   - address: Host and port as messages show them.
    package static func run(host: String, port: Int, address: String) throws(Problem) {
        var hints = addrinfo()
        hints.ai_socktype = Self.stream
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &found) == 0, let first = found else {
            throw .doesNotResolve(address: address)
        }
        defer { freeaddrinfo(found) }
        let descriptor = socket(first.pointee.ai_family, Self.stream, 0)
        guard descriptor >= 0 else { throw .failed(address: address, code: errno) }
        defer { close(descriptor) }
        // As the listener does: a former server's connection in TIME_WAIT is no obstacle.
        var reuse: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen) != 0 else { return }
        switch errno {
        case EADDRINUSE: throw .isTaken(address: address)
        case EACCES, EPERM: throw .isNotAllowed(address: address)
        case EADDRNOTAVAIL: throw .isNotOfThisMachine(address: address)
        case let code: throw .failed(address: address, code: code)
        }
    }

    #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif
}
