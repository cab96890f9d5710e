import OstiaryContracts
import OstiaryCore
import OstiaryTesting
import Synchronization

@testable import OstiaryClient

/// Sessions without a server behind them: whose turn it is, and a token for each, named after its account.
final class ScriptedPeople: TokenSource, SignedInSessions {
    private struct World {
        var current: ClientSession?
        var issued = 0
    }

    private let world = Mutex(World())
    private let changes = Broadcast<SessionState>()

    /// Signs in, or brings to the fore, with a token like `access-jo-1`.
    func use(_ account: String) throws {
        let id = try AccountID(account)
        let url = try BaseURL("https://api.example.com")
        let session = world.withLock { world in
            world.issued += 1
            let session = ClientSession(
                id: ClientSession.ID(rawValue: "session-\(world.issued)"), contract: "clarity", baseURL: url,
                accountID: id, label: account, accessToken: Secret("access-\(account)-\(world.issued)"),
                refreshToken: nil, issuedAt: TestClock.start, expiresAt: nil)
            world.current = session
            return session
        }
        changes.send(.signedIn(SessionSnapshot(session), verified: false))
    }

    func leave() {
        world.withLock { $0.current = nil }
        changes.send(.signedOut(.signedOut))
    }

    var state: SessionState {
        world.withLock { world in
            world.current.map { .signedIn(SessionSnapshot($0), verified: true) } ?? .signedOut(.signedOut)
        }
    }

    var states: AsyncStream<SessionState> {
        changes.stream(buffering: .bufferingNewest(1)) { self.state }
    }

    func accepted(_ token: IssuedToken) {}

    func token() async throws(ClientError) -> IssuedToken {
        guard let current = world.withLock({ $0.current }) else { throw .notSignedIn }
        return IssuedToken(current)
    }

    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken {
        let next = world.withLock { world -> ClientSession? in
            guard var session = world.current else { return nil }
            world.issued += 1
            if session.id == used.session, let account = session.accountID {
                session.accessToken = Secret("access-\(account)-\(world.issued)")
            }
            world.current = session
            return session
        }
        guard let next else { throw .sessionEnded(refusal) }
        return IssuedToken(next)
    }
}

extension SignedInSending {
    /// Sends without repetitions of its own.
    init(of people: ScriptedPeople, over transport: any Transport) throws {
        self.init(
            requests: AuthorizedRequests(
                auth: try RemoteAuth(
                    contract: .clarity, baseURL: try BaseURL("https://api.example.com"), transport: transport),
                tokens: people, system: TestClock().system,
                options: RequestOptions(retries: .none, limit: nil), events: Broadcast()),
            sessions: people)
    }
}
