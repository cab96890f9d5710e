import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import OstiaryEngine
import OstiaryHTTP
import OstiaryWebClient

/// A client of the server that runs on the data directory, through its socket.
struct ControlClient: Control {
    private let socketPath: String
    private let store: FileIdentity?

    enum Failure: Error, CustomStringConvertible {
        /// There is no socket, or one that a terminated server left behind.
        case notRunning

        var description: String { "the running server has stopped; run the command again" }
    }

    /// - Parameter store: The database file that the configuration names; nil if there is none.
    init(socketPath: String, store: FileIdentity?) {
        self.socketPath = socketPath
        self.store = store
    }

    func close() {}

    func perform(_ command: ControlCommand, app: String?) async throws -> ControlReply {
        let message = ControlRequest(app: app, store: store, command: command)
        var answer = Data()
        do {
            try await request(ControlServer.path, message).perform(within: command.deadline) { part in
                if case .body(let bytes) = part { answer.append(contentsOf: bytes.readableBytesView) }
            }
        } catch {
            throw Self.explained(error)
        }
        // Regardless of the status: a server of another version answers with another body.
        guard let answer = try? JSONDecoder().decode(ControlAnswer.self, from: answer) else {
            throw AdministrationProblem("the running server's answer cannot be read: is it of another version?")
        }
        return try answer.reply()
    }

    /// Follows the access log until the server ends.
    ///
    /// - Parameter show: Called with lines as they arrive. Slow calls slow the server's answer, and not the server.
    func tail(_ filter: AccessFilter, show: ([TailLine]) async throws -> Void) async throws {
        var isFollowing = false
        var rest = ByteBuffer()
        do {
            let exchange = try request("\(ControlServer.path)/tail", TailRequest(store: store, filter: filter))
            try await exchange.perform(within: nil) { part in
                switch part {
                case .head(let head):
                    guard head.status == .ok else {
                        throw AdministrationProblem("the running server cannot be followed: is it of another version?")
                    }
                    isFollowing = true
                case .body(let bytes):
                    rest.writeBytes(bytes.readableBytesView)
                    let lines = try Self.takeLines(from: &rest)
                    if !lines.isEmpty { try await show(lines) }
                case .end: break
                }
            }
        } catch let error where !isFollowing {
            try Task.checkCancellation()
            throw Self.explained(error)
        } catch is SingleExchange.Problem, is HTTPParserError, is IOError, is ChannelError {
            // The connection of a server that was killed.
            try Task.checkCancellation()
        }
    }

    private func request(_ path: String, _ message: some Encodable) throws -> SingleExchange {
        SingleExchange(
            .POST, path, of: .socket(path: socketPath), headers: [("Content-Type", "application/json")],
            body: Array(try JSONEncoder().encode(message)))
    }

    /// Removes the complete lines; an empty one only keeps the connection alive.
    private static func takeLines(from rest: inout ByteBuffer) throws -> [TailLine] {
        var lines: [TailLine] = []
        while let end = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
            let line = rest.readSlice(length: end - rest.readerIndex)
        {
            rest.moveReaderIndex(forwardBy: 1)
            if line.readableBytes > 0 {
                lines.append(try JSONDecoder().decode(TailLine.self, from: Data(buffer: line)))
            }
        }
        rest.discardReadBytes()
        return lines
    }

    private static func explained(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError, is AdministrationProblem: error
        case let error as IOError where error.errnoCode == ENOENT || error.errnoCode == ECONNREFUSED:
            Failure.notRunning
        // A path longer than a socket's address can hold.
        case SocketAddressError.unixDomainSocketPathTooLong: Failure.notRunning
        case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM:
            AdministrationProblem("a server is running, and only its own user may connect to it")
        default: AdministrationProblem("the running server did not answer; the outcome of the command is unknown")
        }
    }
}
