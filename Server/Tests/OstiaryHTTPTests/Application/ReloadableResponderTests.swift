import Logging
import OstiaryContracts
import OstiaryEngine
import Testing

@testable import OstiaryHTTP

/// A listener's responder that is replaced while it answers.
@Suite(.timeLimit(.minutes(1)))
struct ReloadableResponderTests {
    private static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func responder(_ inbox: (any Inbox)? = nil, bodyBytes: Int = 65_536) async throws -> RootResponder {
        var application = ServerApplication(try await World([.vici]))
        application.inbox = inbox
        application.connections.limits.bodyBytes = bodyBytes
        return RootResponder(application: application, log: Self.silence)
    }

    private func status(_ responder: ReloadableResponder, _ path: String) async throws -> Int {
        let head = RequestHead(method: "GET", authority: "localhost", path: path)
        let peer = try #require(IPAddress("127.0.0.1"))
        return await responder.respond(to: ReceivedRequest(head: head, peer: peer)).head.status
    }

    @Test func `a request is answered by the responder that is in use when it begins`() async throws {
        let inbox = WaitingInbox()
        let reloadable = ReloadableResponder(try await responder(inbox))
        let without = try await responder()
        async let underWay = status(reloadable, "/dev/inbox")
        await inbox.isAsked()
        reloadable.replace(by: without)
        #expect(try await status(reloadable, "/dev/inbox") == 404)
        inbox.answer()
        #expect(try await underWay == 200)
    }

    @Test func `new connections have the limits of the responder in use`() async throws {
        let reloadable = ReloadableResponder(try await responder())
        #expect(reloadable.current.application.connections.limits.bodyBytes == 65_536)
        reloadable.replace(by: try await responder(bodyBytes: 1000))
        #expect(reloadable.current.application.connections.limits.bodyBytes == 1000)
    }
}

/// An inbox that answers when the test lets it.
private struct WaitingInbox: Inbox {
    private let questions = AsyncStream.makeStream(of: Void.self)
    private let permits = AsyncStream.makeStream(of: Void.self)

    func isAsked() async { for await _ in questions.stream { return } }
    func answer() { permits.continuation.yield() }

    func messages(app: String?, to recipient: String?) async -> [InboxMessage] {
        questions.continuation.yield()
        for await _ in permits.stream { break }
        return []
    }

    func empty() async {}
}
