import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import OstiaryEngine
import OstiaryHTTP

/// A client of the server that runs on the data directory, through its socket.
struct ControlClient: Control {
    private let http: HTTPClient
    private let url: String?
    private let store: FileIdentity?

    enum Failure: Error, CustomStringConvertible {
        /// There is no socket, or one that a terminated server left behind.
        case notRunning

        var description: String { "the running server has stopped; run the command again" }
    }

    /// - Parameter store: The database file that the configuration names; nil if there is none.
    init(socketPath: String, store: FileIdentity?) {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(5)
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        url = URL(httpURLWithSocketPath: socketPath, uri: ControlServer.path)?.absoluteString
        self.store = store
    }

    func close() async throws { try await http.shutdown() }

    func perform(_ command: ControlCommand, app: String?) async throws -> ControlReply {
        guard let url else { throw Failure.notRunning }
        let message = ControlRequest(app: app, store: store, command: command)
        let body = HTTPClient.Body.byteBuffer(ByteBuffer(data: try JSONEncoder().encode(message)))
        let answer: ByteBuffer?
        do {
            // Not kept alive: shutting a client down while a connection returns to its pool traps.
            let request = try HTTPClient.Request(
                url: url, method: .POST, headers: ["Connection": "close"], body: body)
            let deadline = NIODeadline.now() + TimeAmount(command.deadline)
            answer = try await http.execute(request: request, deadline: deadline).get().body
        } catch {
            throw Self.explained(error)
        }
        // Regardless of the status: a server of another version answers with another body.
        guard let answer = answer.flatMap({ try? JSONDecoder().decode(ControlAnswer.self, from: Data(buffer: $0)) })
        else {
            throw AdministrationProblem("the running server's answer cannot be read: is it of another version?")
        }
        return try answer.reply()
    }

    /// Follows the access log until the server ends.
    ///
    /// - Parameter show: Called with lines as they arrive. Slow calls slow the server's answer, and not the server.
    func tail(_ filter: AccessFilter, show: ([TailLine]) async throws -> Void) async throws {
        guard let url else { throw Failure.notRunning }
        var request = HTTPClientRequest(url: "\(url)/tail")
        request.method = .POST
        request.headers.add(name: "Connection", value: "close")
        request.body = .bytes(ByteBuffer(data: try JSONEncoder().encode(TailRequest(store: store, filter: filter))))
        let answer: HTTPClientResponse
        do { answer = try await http.execute(request, deadline: .distantFuture) } catch {
            try Task.checkCancellation()
            throw Self.explained(error)
        }
        guard answer.status == .ok else {
            throw AdministrationProblem("the running server cannot be followed: is it of another version?")
        }
        var rest = ByteBuffer()
        do {
            for try await part in answer.body {
                rest.writeBytes(part.readableBytesView)
                var lines: [TailLine] = []
                while let count = rest.readableBytesView.firstIndex(of: UInt8(ascii: "\n")).map({
                    $0 - rest.readerIndex
                }),
                    let line = rest.readSlice(length: count)
                {
                    rest.moveReaderIndex(forwardBy: 1)
                    if count > 0 { lines.append(try JSONDecoder().decode(TailLine.self, from: Data(buffer: line))) }
                }
                rest.discardReadBytes()
                if !lines.isEmpty { try await show(lines) }
            }
        } catch is HTTPClientError {
            // The connection of a server that was killed.
            try Task.checkCancellation()
        }
    }

    private static func explained(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError: error
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
