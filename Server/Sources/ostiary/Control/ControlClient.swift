import AsyncHTTPClient
import Foundation
import NIOCore
import NIOFoundationCompat
import OstiaryEngine

/// Speaks to the server that runs on the data directory, through its socket.
struct ControlClient: Control {
    private let http: HTTPClient
    private let url: String?
    private let databasePath: String

    enum Failure: Error {
        /// There is no socket, or one that a dead server left behind.
        case nobodyThere
    }

    init(socketPath: String, databasePath: String) {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.timeout.connect = .seconds(5)
        http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        url = URL(httpURLWithSocketPath: socketPath, uri: ControlServer.path)?.absoluteString
        self.databasePath = databasePath
    }

    func close() async throws { try await http.shutdown() }

    func perform(_ command: ControlCommand, app: String?) async throws -> ControlReply {
        guard let url else { throw Failure.nobodyThere }
        var request = HTTPClientRequest(url: url)
        request.method = .POST
        let message = ControlRequest(app: app, store: FileIdentity(path: databasePath), command: command)
        request.body = .bytes(ByteBuffer(data: try JSONEncoder().encode(message)))
        let answer: Data
        do {
            let response = try await http.execute(request, timeout: .seconds(60))
            let body = try await response.body.collect(upTo: ControlServer.maximumMessageBytes)
            guard response.status == .ok else {
                throw AdministrationProblem("the running server does not know this command: is it of another version?")
            }
            answer = Data(buffer: body)
        } catch {
            throw Self.explained(error)
        }
        guard let answer = try? JSONDecoder().decode(ControlAnswer.self, from: answer) else {
            throw AdministrationProblem("the running server's answer cannot be read: is it of another version?")
        }
        return try answer.reply()
    }

    private static func explained(_ error: any Error) -> any Error {
        switch error {
        case is AdministrationProblem, is CancellationError: error
        case let error as IOError where error.errnoCode == ENOENT || error.errnoCode == ECONNREFUSED:
            Failure.nobodyThere
        // A path that no socket can have.
        case SocketAddressError.unixDomainSocketPathTooLong: Failure.nobodyThere
        case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM:
            AdministrationProblem("a server is running, and only its own user may speak to it")
        default: AdministrationProblem("the running server did not answer; whether it did as asked is not known")
        }
    }
}
