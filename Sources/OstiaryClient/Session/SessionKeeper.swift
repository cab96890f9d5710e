import Foundation
import OstiaryContracts
import OstiaryCore
import Synchronization

/// Keeps the session in use: the one place where it begins, is renewed and ends.
actor SessionKeeper {
    let auth: RemoteAuth
    let store: any SessionStore
    let surroundings: ClientSurroundings
    nonisolated let events = Broadcast<ClientEvent>()

    init(auth: RemoteAuth, store: any SessionStore, surroundings: ClientSurroundings) {
        self.auth = auth
        self.store = store
        self.surroundings = surroundings
    }

    /// Begins to read the store, without waiting for it.
    nonisolated func begin() {}

    nonisolated var state: SessionState { .unknown }
    nonisolated var states: AsyncStream<SessionState> { AsyncStream { $0.finish() } }
    nonisolated var hasValidToken: Bool { false }

    /// A token that is good for a request, refreshed first where it must be.
    func token() async throws(ClientError) -> IssuedToken { throw .notSignedIn }

    /// A token other than one that earned a 401: the current one if it is another, else a fresh one.
    ///
    /// - Parameter refusal: Why the server did not accept it, if the session ends over it.
    func replacement(for used: IssuedToken, refusal: AuthError) async throws(ClientError) -> IssuedToken {
        throw .notSignedIn
    }
}
