import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Says when a socket of libpq's can be read, or written to. Belongs to whoever holds the connection's lock.
struct SocketWatch {
    /// A duplicate of the socket, closed when no source has it any more.
    ///
    /// libpq closes its own by itself when the connection breaks; Dispatch would go on watching a number that may be the
    /// next connection's by then.
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

    /// Tells, or no longer, when the socket takes more.
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
        // Runs when Dispatch has let go of the number.
        source.setCancelHandler(handler: DispatchWorkItem { withExtendedLifetime(descriptor) {} })
        source.resume()
    }
}
