import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOFoundationCompat
import OstiaryEngine
import OstiaryHTTP
import ServiceLifecycle

/// Lets commands reach a running server, through a socket that only its owner can open. Only a server that holds the
/// store's lock may run this.
struct ControlServer: Service {
    /// Returns the service by the configuration in use.
    let service: @Sendable () -> ControlService
    let feed: AccessLogFeed
    let directory: DataDirectory
    let log: Logger

    static let path = "/control/v1"
    static let tailPath = "/control/v1/tail"
    static let maximumMessageBytes = 8 << 20

    func run() async throws {
        do {
            try await withGracefulShutdownHandler {
                try await listen()
            } onGracefulShutdown: {
                // A response that follows the log would never end.
                feed.close()
            }
        } catch {
            log.warning(
                "commands cannot reach this server while it runs",
                metadata: ["socket": "\(directory.socketPath)", "problem": "\(error)"])
            // The server continues without it: people can still sign in.
            try? await gracefulShutdown()
        }
    }

    private func listen() async throws {
        let path = directory.socketPath
        do { _ = try SocketAddress(unixDomainSocketPath: path) } catch {
            throw AdministrationProblem("the path is too long for a socket; use a shorter data directory")
        }
        guard try await !isAnswered(path) else {
            throw AdministrationProblem("another server answers there")
        }
        // Created in a private directory and then moved, because a socket is open to all users until its mode is set.
        // The move also replaces a socket that a killed server left.
        let nursery = "\(directory.path)/.sock"
        let draft = "\(nursery)/s"
        unlink(draft)
        rmdir(nursery)
        try FileManager.default.createDirectory(
            atPath: nursery, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let router = Router(context: ControlContext.self)
        router.post(RouterPath(Self.path)) { request, context in await answer(request, over: context.channel) }
        router.post(RouterPath(Self.tailPath)) { request, context in
            await tail(request, over: context.channel)
        }
        var quiet = log
        quiet.logLevel = .warning
        let application = Application(
            router: router, server: .plain(idleTimeout: .seconds(60)),
            configuration: .init(
                address: .unixDomainSocket(path: draft), serverName: nil,
                availableConnectionsDelegate: MaximumAvailableConnections(32)),
            onServerRunning: { _ in publish(draft, as: path) },
            logger: quiet)
        defer {
            unlink(path)
            unlink(draft)
            rmdir(nursery)
        }
        try await application.run()
    }

    private func publish(_ draft: String, as path: String) {
        if chmod(draft, 0o600) == 0, rename(draft, path) == 0 {
            rmdir(URL(fileURLWithPath: draft).deletingLastPathComponent().path)
        } else {
            log.warning(
                "commands cannot reach this server while it runs",
                metadata: ["socket": "\(path)", "problem": "\(String(cString: strerror(errno)))"])
        }
    }

    private func isAnswered(_ path: String) async throws -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let client = ControlClient(socketPath: path, store: service().store)
        do {
            _ = try await client.perform(.hello, app: nil)
        } catch ControlClient.Failure.notRunning {
            return false
        } catch is AdministrationProblem {}
        return true
    }

    private func answer(_ request: Request, over channel: any Channel) async -> Response {
        guard let body = try? await request.body.collect(upTo: Self.maximumMessageBytes) else {
            return Response(status: .contentTooLarge)
        }
        guard let command = try? JSONDecoder().decode(ControlRequest.self, from: Data(buffer: body)) else {
            return Response(status: .badRequest)
        }
        let user = await OperatingSystemUser.peer(of: channel)
        guard let answer = try? JSONEncoder().encode(await service().answer(command, from: user)) else {
            return Response(status: .internalServerError)
        }
        return Response(status: .ok, body: .init(byteBuffer: ByteBuffer(data: answer)))
    }
}

/// The request context of a command: its connection.
private struct ControlContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
