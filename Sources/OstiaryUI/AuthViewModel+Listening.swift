import OstiaryClient
import OstiaryCore

extension AuthViewModel {
    /// Observes the client's states and events for the lifetime of the model.
    func listen() {
        let (states, events) = (auth.states, auth.events)
        let hearsStates = Task { [weak self] in
            for await state in states { self?.receive(state) }
        }
        let hearsEvents = Task { [weak self] in
            for await event in events { self?.take(event) }
        }
        listening = [AutoCancellingTask(hearsStates), AutoCancellingTask(hearsEvents)]
    }

    private func receive(_ state: SessionState) {
        // A signed-in state that was published before the lock closed would show the locked content for a moment.
        if case .signedIn = state, auth.state == .locked { take(.locked) } else { take(state) }
    }

    func take(_ new: SessionState) {
        let old = state
        guard new != old else { return }
        wasLockedInFront = new == .locked && isSignedIn && !isInBackground
        if new.session != old.session, old.session != nil { leave(for: new) }
        state = new
        switch new {
        case .signedIn(let session, _):
            guard session.id != old.session else { return }
            // A lock, during which the person may be in the authenticator app, keeps what is being added.
            if let factorSession, factorSession != session.id { forgetFactors() }
            factorSession = session.id
            // After a sign-in, the input for other ways to sign in is of no use.
            fields = AuthFields()
            (step, code, challenge, chosenMethod, visitedEntries, error) = (.start, nil, nil, nil, [], nil)
            endCountdown()
            notices.removeAll(where: \.isSignOut)
            // A session from the last run is verified by the client itself.
            if old != .unknown { loadUser() }
        case .signedOut(let reason):
            forgetFactors()
            factorSession = nil
            take(reason)
        case .unknown, .locked: break
        }
    }

    private func take(_ reason: SignedOutReason) {
        switch reason {
        case .ended(let reason):
            error = ShownError(
                .sessionEnded(reason), of: .loadUser, screens: screens, now: options.system.now(), texts: texts)
        case .notRecognised(let end):
            notify(end == .notEnrolled ? .notEnrolled : .enrolmentChanged)
        case .notSignedIn, .signedOut, .elsewhere: break
        }
    }

    /// Abandons the actions of a session that is no longer current, and removes its data from the screens.
    private func leave(for new: SessionState) {
        for action in running.keys where !action.outlivesItsSession && !isOfSignIn(action) {
            if new != .locked || !action.bringsRecoveryCodes { abandon(action) }
        }
        sessions = []
        devices = []
        // A notice about the end of the session may have arrived before the state.
        notices.removeAll { $0 != .memoryOnly && !$0.isSignOut }
        fields = AuthFields()
        visitedEntries = []
        error = nil
    }

    private func take(_ event: ClientEvent) {
        switch event {
        case .storeUnwritable: notify(.memoryOnly)
        case .storeWritableAgain: dismiss(.memoryOnly)
        default: break
        }
    }

    func notify(_ notice: AuthNotice) {
        dismiss(notice)
        notices.append(notice)
    }
}

extension SessionState {
    fileprivate var session: ClientSession.ID? { if case .signedIn(let session, _) = self { session.id } else { nil } }
}
