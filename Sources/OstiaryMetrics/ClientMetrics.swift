#if Metrics
public import CoreMetrics
public import OstiaryClient

/// A recorder that counts client events with swift-metrics.
///
/// ```swift
/// let metrics = ClientMetrics()
/// Task { await metrics.watch(auth.events) }
/// ```
///
/// Every label comes from a short closed list; accounts, paths and hosts are never labels. One value may serve several
/// clients, but the queue depth is then the last depth that any of them reported.
///
/// | name | kind | labels |
/// | --- | --- | --- |
/// | `ostiary_client_sign_ins_total` | counter | `method`, `outcome` |
/// | `ostiary_client_registrations_total` | counter | `outcome` |
/// | `ostiary_client_refreshes_total` | counter | `outcome` |
/// | `ostiary_client_refresh_requests_total` | counter | |
/// | `ostiary_client_adoptions_total` | counter | |
/// | `ostiary_client_sign_outs_total` | counter | `reason` |
/// | `ostiary_client_account_switches_total` | counter | |
/// | `ostiary_client_store_failures_total` | counter | |
/// | `ostiary_client_requests_total` | counter | `status`: `2xx` …, or `none` |
/// | `ostiary_client_replays_total` | counter | |
/// | `ostiary_client_held_back_seconds` | timer | |
/// | `ostiary_client_pin_mismatches_total` | counter | |
/// | `ostiary_client_queue_requests_total` | counter | `outcome`: `queued`, `sent`, `dropped`, `cleared` |
/// | `ostiary_client_queue_depth` | gauge | |
///
/// An `outcome` is `success` or the failure's code.
public struct ClientMetrics: Sendable {
    private let factory: any MetricsFactory

    /// Creates a recorder that writes to one metrics factory.
    ///
    /// - Parameter factory: The metrics backend; `nil` for the one that the program has set up with `MetricsSystem`.
    public init(factory: (any MetricsFactory)? = nil) { self.factory = factory ?? MetricsSystem.factory }

    /// Counts events until the stream ends or the task is cancelled.
    public func watch(_ events: AsyncStream<ClientEvent>) async {
        for await event in events { record(event) }
    }

    /// Counts one event. Events that have no metric, such as `revocationSent`, are ignored.
    public func record(_ event: ClientEvent) {
        switch event {
        case .signIn(let method, let failure):
            count("sign_ins_total", [("method", method.label), ("outcome", outcome(failure))])
        case .registration(let failure): count("registrations_total", [("outcome", outcome(failure))])
        case .refresh(let failure, let requests):
            count("refreshes_total", [("outcome", outcome(failure))])
            count("refresh_requests_total", by: requests)
        case .adopted: count("adoptions_total")
        case .signOut(let reason): count("sign_outs_total", [("reason", FailureCode(reason).text)])
        case .revocationSent, .storeWritableAgain: break
        case .accountSwitched: count("account_switches_total")
        case .storeUnwritable: count("store_failures_total")
        case .request(let status, _):
            count("requests_total", [("status", status.map { "\($0 / 100)xx" } ?? "none")])
        case .replayed: count("replays_total")
        case .heldBack(let duration):
            CoreMetrics.Timer(label: Self.name("held_back_seconds"), factory: factory)
                .recordNanoseconds(duration.nanoseconds)
        case .pinMismatch: count("pin_mismatches_total")
        case .queued(_, let depth): countQueue("queued", depth: depth)
        case .queueSent(_, let depth): countQueue("sent", depth: depth)
        case .queueDropped(_, _, let depth): countQueue("dropped", depth: depth)
        case .queueHeld(_, let depth): setDepth(depth)
        case .queueCleared(let count): countQueue("cleared", by: count, depth: 0)
        }
    }

    private static func name(_ name: String) -> String { "ostiary_client_\(name)" }

    private func outcome(_ failure: FailureCode?) -> String { failure?.text ?? "success" }

    private func count(_ name: String, by amount: Int = 1, _ labels: [(String, String)] = []) {
        Counter(label: Self.name(name), dimensions: labels, factory: factory).increment(by: amount)
    }

    private func countQueue(_ outcome: String, by amount: Int = 1, depth: Int) {
        count("queue_requests_total", by: amount, [("outcome", outcome)])
        setDepth(depth)
    }

    private func setDepth(_ depth: Int) {
        Gauge(label: Self.name("queue_depth"), factory: factory).record(depth)
    }
}

extension ClientEvent.SignInMethod {
    /// The method in snake case, as the other label values are spelled.
    fileprivate var label: String { self == .identityToken ? "identity_token" : rawValue }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
#endif
