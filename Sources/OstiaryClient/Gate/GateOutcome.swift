/// What came of an attempt to open a gate.
enum GateOutcome: Hashable, Sendable {
    /// It is open. Whom the device knows now, to be kept with the session; nil if nobody can tell.
    case open(GateEnrolment?)
    /// It stays closed; asking again may help.
    case closed(GateProblem)
    /// It does not open for this session any more: the session has to be ended, and its owner sign in again.
    case signInNeeded(GateEnd)
}

/// Why a gate stays closed.
enum GateProblem: Hashable, Sendable {
    /// The person gave up, or nobody waits any more.
    case cancelled
    /// It was somebody else.
    case failed
    /// Too many wrong tries: the device wants its passcode first.
    case lockedOut
    /// The device cannot ask at the moment.
    case unavailable
    /// It was closed again while the person was asked: the app left the foreground.
    case interrupted
}

/// Why a gate never opens again for a session.
public enum GateEnd: Hashable, Sendable {
    /// The device knows other faces or fingers than at sign-in: whoever has the passcode could have added their own.
    case enrolmentChanged
    /// The device knows nobody, so that it can ask nobody.
    case nobodyEnrolled
}

/// What was found out about the person who holds the device.
enum GateFinding: Hashable, Sendable {
    case passed(GateEnrolment?)
    case closed(GateProblem)
    case signInNeeded(GateEnd)

    /// Asks, unless it is known before that no answer would help.
    ///
    /// - Parameter known: Whom the device knew at sign-in.
    init(asking gate: any BiometricGate, _ reason: String, knowing known: GateEnrolment?) async {
        var known = known
        switch await gate.readiness() {
        case .ready(let enrolment):
            guard Self.isFamiliar(enrolment, to: known) else {
                self = .signInNeeded(.enrolmentChanged)
                return
            }
            // Another version of the system may call the same faces something else; whoever is added from here on is not them.
            if known != nil, let enrolment, enrolment != .unknown { known = enrolment }
        case .nobodyEnrolled:
            self = .signInNeeded(known == nil ? .nobodyEnrolled : .enrolmentChanged)
            return
        case .lockedOut:
            self = .closed(.lockedOut)
            return
        case .unavailable:
            self = .closed(.unavailable)
            return
        }
        self =
            switch await gate.ask(reason) {
            // Compared again: what was enrolled while the prompt was up has passed it.
            case .passed(let enrolment):
                if Self.isFamiliar(enrolment, to: known) {
                    .passed(enrolment == .unknown ? known : enrolment)
                } else {
                    .signInNeeded(.enrolmentChanged)
                }
            case .cancelled: .closed(.cancelled)
            case .failed: .closed(.failed)
            case .lockedOut: .closed(.lockedOut)
            case .unavailable: .closed(.unavailable)
            }
    }

    private static func isFamiliar(_ enrolment: GateEnrolment?, to known: GateEnrolment?) -> Bool {
        guard let known else { return true }
        return enrolment.map { !$0.isOther(than: known) } ?? false
    }
}

extension GateProblem {
    /// What an app is told where it asked to open the gate.
    var error: ClientError { self == .cancelled ? .cancelledByUser : .locked }
}
