import Foundation
import NIOCore
import OstiaryEngine

/// A user of the operating system, as the audit log names the actor of a command.
struct OperatingSystemUser: Hashable, Sendable {
    let id: UInt32

    /// The effective user of this process.
    static var current: OperatingSystemUser { OperatingSystemUser(id: geteuid()) }

    /// The actor of a command: `alice`, or `#1000` for an id without a printable name.
    var actor: AdministrationActor { .commandLine(user: name ?? "#\(id)") }

    private var name: String? {
        var buffer = [CChar](repeating: 0, count: 16_384)
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, found != nil, let text = entry.pw_name else {
            return nil
        }
        let bytes = Array(UnsafeBufferPointer(start: text, count: strnlen(text, 65)))
        guard (1...64).contains(bytes.count), bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        return String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension OperatingSystemUser {
    /// Returns the user whose process opened the other end of a local socket, as the kernel reports it.
    /// Source: unix(7), SO_PEERCRED.
    ///
    /// - Returns: Nil if the kernel does not report it.
    static func peer(of channel: any Channel) async -> OperatingSystemUser? {
        guard let socket = channel as? any SocketOptionProvider else { return nil }
        #if os(Linux)
        let credentials = socket.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel.socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED),
            as: LinuxCredentials.self)
        #else
        let credentials = socket.unsafeGetSocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: SOL_LOCAL), name: NIOBSDSocket.Option(rawValue: LOCAL_PEERCRED),
            as: BSDCredentials.self)
        #endif
        return try? await OperatingSystemUser(id: credentials.get().user)
    }

    /// The layout of `struct ucred`.
    private struct LinuxCredentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// The first fields of `struct xucred`.
    private struct BSDCredentials: Sendable {
        var version: UInt32 = 0
        var user: UInt32 = 0
    }
}

extension SocketOptionProvider {
    fileprivate func unsafeGetSocketOption<Value: Sendable>(
        level: NIOBSDSocket.OptionLevel, name: NIOBSDSocket.Option, as type: Value.Type
    ) -> EventLoopFuture<Value> {
        unsafeGetSocketOption(level: level, name: name)
    }
}
