import Foundation

#if canImport(Darwin)
import Darwin
#endif

/// Options that make a write to a connection that the peer has closed fail with `EPIPE` instead of ending the process
/// by SIGPIPE.
///
/// Source: setsockopt(2) of macOS, send(2) of Linux.
public enum SocketSignals {
    #if canImport(Darwin)
    /// The flags for `send`. Darwin has none for this: see ``suppress(on:)``.
    public static let sendFlags: CInt = 0

    /// To be called on each socket before the first write.
    public static func suppress(on socket: CInt) {
        var isOn: CInt = 1
        setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
    }
    #else
    /// The flags for `send`.
    public static let sendFlags = CInt(MSG_NOSIGNAL)

    /// Has no effect here: see ``sendFlags``. Call it on each socket before the first write.
    public static func suppress(on socket: CInt) {}
    #endif
}
