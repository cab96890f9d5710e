import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Reports when libpq's socket becomes readable or writable. Protected by the connection's lock.
struct SocketWatch {
    /// A duplicate of the socket, closed when no source uses it any more.
    ///
    /// libpq closes its own socket when the connection breaks; Dispatch would continue to watch a file descriptor that
    /// may belong to the next connection by then.
    private final class Descriptor: Sendable {
        let number: Int32

        init?(of socket: Int32) {
            number = fcntl(socket, F_DUPFD_CLOEXEC, 0)
            guard number >= 0 else { return nil }
        }

        deinit { close(number) }
    }

    private let descriptor: Descriptor
    private let queue = DispatchQueue(label: "ostiary.postgres.connection")
    private let writable: @Sendable () -> Void
    private let reading: any DispatchSourceRead
    private var writing: (any DispatchSourceWrite)?

    init?(_ socket: Int32, readable: @escaping @Sendable () -> Void, writable: @escaping @Sendable () -> Void) {
        guard let descriptor = Descriptor(of: socket) else { return nil }
        self.descriptor = descriptor
        self.writable = writable
        reading = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
        reading.setEventHandler(handler: DispatchWorkItem(block: readable))
        Self.begin(reading, on: descriptor)
    }

    /// Starts, or stops, watching for the socket to become writable.
    mutating func watchWriting(_ isWanted: Bool) {
        guard isWanted != (writing != nil) else { return }
        writing?.cancel()
        writing = nil
        guard isWanted else { return }
        let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor.number, queue: queue)
        source.setEventHandler(handler: DispatchWorkItem(block: writable))
        Self.begin(source, on: descriptor)
        writing = source
    }

    func end() {
        reading.cancel()
        writing?.cancel()
    }

    private static func begin(_ source: any DispatchSourceProtocol, on descriptor: Descriptor) {
        // Runs when Dispatch no longer uses the file descriptor.
        source.setCancelHandler(handler: DispatchWorkItem { withExtendedLifetime(descriptor) {} })
        source.resume()
    }
}
