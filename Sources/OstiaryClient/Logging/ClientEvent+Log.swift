import OstiaryCore

extension ClientLog {
    /// Writes the line of an event. Events become lines only here, so code that sends an event does not log it as well.
    func note(_ event: ClientEvent) {
        switch event {
        case .signIn(let method, nil): info(.session, "signed in by \(method)")
        case .signIn(let method, let failure?): notice(.session, "sign-in by \(method) failed: \(failure)")
        case .registration(nil): info(.session, "registered")
        case .registration(let failure?): notice(.session, "registration failed: \(failure)")
        case .refresh(nil, let requests): debug(.session, "refreshed, requests: \(requests)")
        case .refresh(let failure?, let requests):
            notice(.session, "refresh failed: \(failure), requests: \(requests)")
        case .adopted: debug(.session, "took over a token that another process had refreshed")
        case .signOut(.ended(let refusal)): warning(.session, "the session is over: \(code: refusal)")
        case .signOut(let reason): info(.session, "signed out: \(FailureCode(reason))")
        case .revocationSent: debug(.session, "told the server of a sign-out")
        case .accountSwitched: info(.session, "switched to another account")
        case .storeUnwritable(.system(_, let number)):
            error(.store, "the store cannot be written, sessions are kept in memory: system error \(number)")
        case .storeUnwritable(let problem):
            error(.store, "the store cannot be written, sessions are kept in memory: \(code: problem)")
        case .storeWritableAgain: notice(.store, "the store can be written again")
        case .request(let status, let failure): note(status: status, failure)
        case .replayed: debug(.network, "repeated a request with a fresh token")
        case .heldBack(let duration): debug(.network, "held a request back for \(duration)")
        case .pinMismatch: error(.network, "the server has none of the pinned keys; nothing was sent")
        case .queued(let id, let depth): debug(.queue, "queued \(id), waiting: \(depth)")
        case .queueSent(let id, let depth): info(.queue, "sent \(id), waiting: \(depth)")
        case .queueDropped(let id, let failure, let depth):
            warning(.queue, "gave up \(id): \(failure), waiting: \(depth)")
        case .queueHeld(let failure, let depth): debug(.queue, "holds: \(failure), waiting: \(depth)")
        case .queueCleared(let count): notice(.queue, "cleared with its session, requests: \(count)")
        }
    }

    private func note(status: Int?, _ failure: FailureCode?) {
        switch (status, failure) {
        case (let status?, nil): trace(.network, "request answered: \(status)")
        case (let status?, let failure?): debug(.network, "request answered: \(status), \(failure)")
        case (nil, let failure?): debug(.network, "request not answered: \(failure)")
        case (nil, nil): trace(.network, "request not answered")
        }
    }
}
