import Foundation
import OstiaryContracts
import OstiaryTesting
import Security
import Synchronization
import Testing

@testable import OstiaryClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests of URLSession's challenges, which the tests send themselves: on Linux URLSession sends none for a server's
/// trust.
struct PinningDelegateTests {
    private typealias Answer = (disposition: URLSession.AuthChallengeDisposition, hasCredential: Bool)

    private let session = URLSession(configuration: .ephemeral)

    private func delegate(_ pins: SampleCertificate...) throws -> Exchanges {
        guard !pins.isEmpty else { return Exchanges() }
        return Exchanges(ServerTrustCheck(pins: try PinSet(pins.map(\.pin)), now: { Date() }))
    }

    private func trust(_ chain: SampleCertificate..., isUntrusted: Bool = false) -> SecTrust {
        SecTrust(
            shimChain: chain.map(\.der), error: isUntrusted ? NSError(domain: NSOSStatusErrorDomain, code: -67843) : nil
        )
    }

    private func task() throws -> URLSessionDataTask {
        session.dataTask(with: URLRequest(url: try #require(URL(string: "https://api.example.com/"))))
    }

    /// Sends a challenge to the delegate, for a connection or for a task.
    private func ask(
        _ delegate: Exchanges, _ challenge: URLAuthenticationChallenge, for task: URLSessionTask? = nil
    ) throws -> Answer {
        let answers = Mutex<[Answer]>([])
        let note: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = { disposition, credential in
            answers.withLock { $0.append((disposition, credential != nil)) }
        }
        if let task {
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: note)
        } else {
            delegate.urlSession(session, didReceive: challenge, completionHandler: note)
        }
        let all = answers.withLock { $0 }
        #expect(all.count == 1)
        return try #require(all.first)
    }

    /// Returns the caller's outcome after URLSession has cancelled the task, as it does when a challenge is cancelled.
    private func outcome(_ exchange: Exchange, of task: URLSessionTask, by delegate: Exchanges) async -> RequestOutcome
    {
        delegate.urlSession(session, task: task, didCompleteWithError: URLError(.cancelled))
        return await withCheckedContinuation { exchange.begin($0) }
    }

    private func exchange() -> Exchange { Exchange(maximumBodyBytes: 1 << 10, isEncrypted: true) }

    @Test(arguments: [true, false])
    func `leaves a server with a pin to the system's own handling`(ofTask: Bool) throws {
        let (delegate, task) = (try delegate(.leaf, .rogue), try task())
        let challenge = URLAuthenticationChallenge.shim(
            host: "api.example.com", trust: trust(.leaf, .intermediate, .root))
        let answer = try ask(delegate, challenge, for: ofTask ? task : nil)
        #expect(answer.disposition == .performDefaultHandling && !answer.hasCredential)
    }

    @Test(arguments: [true, false])
    func `a wrong pin cancels the connection, and the caller is told that it was the pin`(ofTask: Bool) async throws {
        let (delegate, task, exchange) = (try delegate(.leaf, .root), try task(), exchange())
        delegate.add(exchange, for: task)
        let challenge = URLAuthenticationChallenge.shim(host: "api.example.com", trust: trust(.rogue))
        #expect(try ask(delegate, challenge, for: ofTask ? task : nil).disposition == .cancelAuthenticationChallenge)
        #expect(await outcome(exchange, of: task, by: delegate) == .failure(.pinMismatch))
    }

    @Test func `a server that the system does not trust is no wrong pin`() async throws {
        let (delegate, task, exchange) = (try delegate(.leaf, .root), try task(), exchange())
        delegate.add(exchange, for: task)
        let challenge = URLAuthenticationChallenge.shim(host: "api.example.com", trust: trust(.leaf, isUntrusted: true))
        #expect(try ask(delegate, challenge).disposition == .cancelAuthenticationChallenge)
        #expect(await outcome(exchange, of: task, by: delegate) == .failure(.untrusted))
    }

    @Test func `tells every task that waited for the connection`() async throws {
        let delegate = try delegate(.leaf, .root)
        let waiting = try (0..<3).map { _ in (try task(), exchange()) }
        for (task, exchange) in waiting { delegate.add(exchange, for: task) }
        _ = try ask(delegate, .shim(host: "api.example.com", trust: trust(.rogue)))
        for (task, exchange) in waiting {
            #expect(await outcome(exchange, of: task, by: delegate) == .failure(.pinMismatch))
        }
    }

    @Test func `a request that the caller cancelled was cancelled`() async throws {
        let (delegate, task, exchange) = (try delegate(.leaf, .root), try task(), exchange())
        delegate.add(exchange, for: task)
        _ = try ask(delegate, .shim(host: "api.example.com", trust: trust(.leaf)))
        #expect(await outcome(exchange, of: task, by: delegate) == .failure(.cancelled))
    }

    @Test(arguments: [true, false])
    func `without pins the system decides alone`(ofTask: Bool) throws {
        let (trust, task) = (trust(.rogue, isUntrusted: true), try task())
        let answer = try ask(delegate(), .shim(host: "api.example.com", trust: trust), for: ofTask ? task : nil)
        #expect(answer.disposition == .performDefaultHandling && !trust.evaluated)
    }

    @Test(arguments: [
        ("NSURLAuthenticationMethodClientCertificate", URLSession.AuthChallengeDisposition.performDefaultHandling),
        (NSURLAuthenticationMethodHTTPBasic, .rejectProtectionSpace),
        (NSURLAuthenticationMethodNegotiate, .rejectProtectionSpace),
    ])
    func `answers nothing else a server asks for`(method: String, answer: URLSession.AuthChallengeDisposition) throws {
        let delegate = try delegate(.leaf, .root)
        let challenge = URLAuthenticationChallenge.shim(host: "api.example.com", method: method)
        #expect(try ask(delegate, challenge, for: try task()).disposition == answer)
        // For a connection only these challenges are sent.
        guard method != NSURLAuthenticationMethodHTTPBasic else { return }
        #expect(try ask(delegate, challenge).disposition == answer)
    }

    // MARK: The client

    private var pins: PinSet {
        get throws { try PinSet([SampleCertificate.leaf.pin, SampleCertificate.root.pin]) }
    }

    @Test func `a client with pins starts on URLSession, which enforces exactly these`() throws {
        let transport = try TransportMaker.urlSession.make(try pins)
        #expect(try transport.enforces(pins) && !transport.enforces(.none))
        #expect(!transport.enforces(try PinSet([SampleCertificate.leaf.pin, SampleCertificate.rogue.pin])))
        #expect(try URLSessionTransport().enforces(.none) && !URLSessionTransport().enforces(pins))
    }

    @Test func `the session of a client with pins heeds them`() throws {
        let transport = try #require(try TransportMaker.urlSession.make(try pins) as? URLSessionTransport)
        let delegate = try #require(transport.session.delegate as? Exchanges)
        let (good, bad) = (trust(.leaf, .intermediate, .root), trust(.rogue))
        #expect(try ask(delegate, .shim(host: "api.example.com", trust: good)).disposition == .performDefaultHandling)
        #expect(
            try ask(delegate, .shim(host: "api.example.com", trust: bad)).disposition == .cancelAuthenticationChallenge)
    }

    @Test func `barqnet: nothing is sent over plain HTTP by a client with pins`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:9"))
        let auth = try AuthClient(
            contract: .barqnet, baseURL: url, pins: try pins,
            options: ClientOptions(store: MemorySessionStore(), isDevelopment: false))
        await #expect(throws: ClientError.certificatePinningFailed) {
            try await auth.signIn(phoneNumber: "+4915112345678", password: "correct horse 7 battery")
        }
    }
}
