import Foundation
import Synchronization

/// A raw TCP peer on a free port of 127.0.0.1 that answers every request with the given bytes.
public final class LoopbackPeer: Sendable {
    public enum Answer: Sendable {
        case text(String)
        case bytes([UInt8])
        /// Sends the bytes and closes the connection.
        case last(String)
        /// Reads the request and sends nothing until the other side closes the connection.
        case silence
        /// Sends the head, then the byte again and again until the other side closes the connection.
        case drip(head: String, UInt8)
    }

    public let port: UInt16
    private let listener: CInt
    private let greeting: String
    private let received = Mutex<[String]>([])
    private let accepted = Mutex(0)
    private let answer: @Sendable (String) -> Answer

    /// The requests so far: request line, headers and body.
    public var requests: [String] { received.withLock { $0 } }

    /// The number of accepted connections.
    public var connections: Int { accepted.withLock { $0 } }

    /// - Parameter greeting: The bytes sent on every new connection, before any request.
    public init(greeting: String = "", _ answer: @escaping @Sendable (String) -> Answer) throws {
        self.greeting = greeting
        self.answer = answer
        let socket = try LoopbackSocket()
        guard listen(socket.descriptor, 16) == 0 else { throw POSIXError(.EIO) }
        listener = socket.descriptor
        port = socket.port
        Thread.detachNewThread { [self] in serveAll() }
    }

    /// Closes the port. Without this call the peer stays until the process ends.
    public func stop() { shutdown(listener, CInt(SHUT_RDWR)) }

    private func serveAll() {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            SocketSignals.suppress(on: connection)
            accepted.withLock { $0 += 1 }
            Thread.detachNewThread { [self] in serve(connection) }
        }
        close(listener)
    }

    private func serve(_ connection: CInt) {
        defer { close(connection) }
        guard sendAll(Array(greeting.utf8), to: connection) else { return }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            while let request = Self.takeRequest(&bytes) {
                received.withLock { $0.append(request) }
                guard give(answer(request), to: connection) else { return }
            }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            bytes += chunk[..<count]
        }
    }

    /// - Returns: False if the connection is to be closed.
    private func give(_ answer: Answer, to connection: CInt) -> Bool {
        switch answer {
        case .text(let text): return sendAll(Array(text.utf8), to: connection)
        case .bytes(let bytes): return sendAll(bytes, to: connection)
        case .last(let text):
            _ = sendAll(Array(text.utf8), to: connection)
            return false
        case .silence:
            var byte: UInt8 = 0
            _ = recv(connection, &byte, 1, 0)
            return false
        case .drip(let head, let byte):
            guard sendAll(Array(head.utf8), to: connection) else { return false }
            while sendAll([byte], to: connection) { usleep(20_000) }
            return false
        }
    }

    private func sendAll(_ bytes: [UInt8], to connection: CInt) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, SocketSignals.sendFlags) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func takeRequest(_ bytes: inout [UInt8]) -> String? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: bytes[..<end.upperBound], as: UTF8.self)
        let length = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
        let total = end.upperBound + (length ?? 0)
        guard bytes.count >= total else { return nil }
        defer { bytes.removeFirst(total) }
        return String(decoding: bytes[..<total], as: UTF8.self)
    }
}
