import CoreFoundation
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The service manager that started the process, which waits for messages about its state. Source: `sd_notify(3)`.
struct ServiceManager: Sendable {
    /// The address of the datagram socket, as `NOTIFY_SOCKET` gives it: a path, or a name in the abstract namespace.
    private let address: String
    /// The time within which the service manager expects a sign of life; nil if it expects none.
    let watchdogInterval: Duration?

    /// - Parameters:
    ///   - environment: The environment of the process.
    ///   - processID: The id of the process, which the limit of the watchdog must be meant for.
    init?(environment: [String: String], processID: Int32) {
        guard let address = environment["NOTIFY_SOCKET"], let first = address.utf8.first,
            first == UInt8(ascii: "/") || first == UInt8(ascii: "@"), address.utf8.count < Self.maximumAddressBytes
        else { return nil }
        self.address = address
        let isMeant = environment["WATCHDOG_PID"].map { Int32($0) == processID } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isMeant && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// A message to the service manager.
    enum Message {
        case ready, stopping, alive
        /// The configuration is being read again; ``ready`` follows.
        case reloading

        fileprivate var text: String {
            switch self {
            case .ready: "READY=1"
            case .stopping: "STOPPING=1"
            case .alive: "WATCHDOG=1"
            // The time tells the service manager that the reload began after it was asked for.
            case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds)"
            }
        }

        private static var monotonicMicroseconds: Int {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int(time.tv_sec) * 1_000_000 + Int(time.tv_nsec) / 1000
        }
    }

    /// Sends a message. A service manager that does not listen any more is no reason to stop serving.
    func send(_ message: Message) {
        #if os(Linux)
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(address.utf8)
        if bytes.first == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let text = Array(message.text.utf8)
        _ = withUnsafePointer(to: &name) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
        #endif
    }

    /// The size of `sun_path`.
    private static let maximumAddressBytes = 108
}
