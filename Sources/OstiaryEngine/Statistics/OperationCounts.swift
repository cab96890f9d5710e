import OstiaryCore
import Synchronization

/// Counts operations by their outcome since the start of the process, for metrics.
///
/// Labels come from closed lists (apps, methods, codes of refusals), so that no caller can increase their number.
public final class OperationCounts: Sendable {
    /// The subjects of the counts.
    public enum Series: Hashable, Sendable, CaseIterable {
        /// Attempts to sign in: by app, method and outcome.
        case signIns
        /// Registrations: by app and outcome.
        case registrations
        /// Refreshes: by outcome.
        case refreshes
        /// Answers by a second factor: by factor and outcome.
        case secondFactors
        /// Attestations and assertions of App Attest: by app, subject and outcome.
        case appAttest
        /// Sign-ins whose risk was assessed: by app, level (in the place of the method) and outcome.
        case risks
    }

    /// The subjects of ``Series/appAttest``. The raw value is a label.
    enum AppAttestSubject: String { case attestation, assertion }

    /// The labels of a count.
    public struct Key: Hashable, Sendable {
        /// The subject.
        public var series: Series
        /// The app; empty where the subject has none.
        public var app: String
        /// The method, the factor or the subject; empty where the subject has none.
        public var method: String
        /// `ok`, or the code of the refusal.
        public var outcome: String
    }

    private let state = Mutex<[Key: Int]>([:])

    /// Creates counters of 0.
    public init() {}

    /// The counts at this moment.
    public var counts: [Key: Int] { state.withLock { $0 } }

    /// - Parameter outcome: `ok`, or the step that failed.
    func count(_ subject: AppAttestSubject, in app: AppName, outcome: String) {
        let key = Key(series: .appAttest, app: app.text, method: subject.rawValue, outcome: outcome)
        state.withLock { $0[key, default: 0] += 1 }
    }

    func count(_ kind: AttemptKind, in app: AppName, _ attribution: AttemptAttribution, outcome: String) {
        // Most requests are none of these.
        guard attribution != AttemptAttribution() || kind == .register || kind == .refresh else { return }
        state.withLock { state in
            func add(_ series: Series, app: String = "", method: String = "", outcome: String) {
                state[Key(series: series, app: app, method: method, outcome: outcome), default: 0] += 1
            }
            if let method = attribution.method { add(.signIns, app: app.text, method: method, outcome: outcome) }
            if let factor = attribution.factor { add(.secondFactors, method: factor, outcome: outcome) }
            // An answer to a challenge has the assessment of the first step.
            if let risk = attribution.risk,
                attribution.factor == nil || attribution.factor == AuthenticationMethod.rememberedDevice.rawValue
            {
                add(.risks, app: app.text, method: risk.level.rawValue, outcome: outcome)
            }
            switch kind {
            case .register: add(.registrations, app: app.text, outcome: outcome)
            case .refresh: add(.refreshes, outcome: outcome)
            // The first sign-in at a provider creates the account, even if a further step is required.
            default: if attribution.isNewAccount { add(.registrations, app: app.text, outcome: AuditEvent.succeeded) }
            }
        }
    }
}
