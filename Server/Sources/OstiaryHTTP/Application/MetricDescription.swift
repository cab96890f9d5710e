/// The description of a metric of the server: the one list from which `/metrics` and its reference are made.
///
/// Names and units follow https://prometheus.io/docs/practices/naming/. Values of labels come from closed lists (apps,
/// operations, methods, codes of refusals), so that no caller can increase their number.
package struct MetricDescription: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable { case counter, gauge, histogram }

    package let kind: Kind
    package let name: String
    package let labels: [String]
    package let help: String

    private init(_ kind: Kind, _ name: String, labels: [String] = [], help: String) {
        self.kind = kind
        self.name = name
        self.labels = labels
        self.help = help
    }
}

extension MetricDescription {
    package static let buildInfo = Self(
        .gauge, "ostiary_build_info", labels: ["version"], help: "Always 1; the label is the version.")

    package static let configurationReloads = Self(
        .counter, "ostiary_configuration_reloads_total", labels: ["outcome"],
        help: "Reloads of the configuration: applied, or refused.")
    package static let lastReloadSuccessful = Self(
        .gauge, "ostiary_configuration_last_reload_successful",
        help: "0 if the last reload was refused, so that an earlier configuration is in use; else 1.")

    package static let requests = Self(
        .counter, "ostiary_requests_total", labels: ["app", "operation", "status"], help: "Requests answered.")
    package static let requestDuration = Self(
        .histogram, "ostiary_request_duration_seconds", labels: ["app"],
        help: "Time from the request's head to the answer.")

    package static let signIns = Self(
        .counter, "ostiary_sign_ins_total", labels: ["app", "method", "outcome"], help: "Attempts to sign in.")
    package static let registrations = Self(
        .counter, "ostiary_registrations_total", labels: ["app", "outcome"],
        help: "Registrations, and first sign-ins at an identity provider.")
    package static let refreshes = Self(
        .counter, "ostiary_refreshes_total", labels: ["outcome"], help: "Refresh tokens presented.")
    package static let secondFactors = Self(
        .counter, "ostiary_second_factors_total", labels: ["method", "outcome"], help: "Second factors presented.")
    package static let attacks = Self(
        .counter, "ostiary_attack_refusals_total", labels: ["attack"],
        help: "Sign-ins that a limit on attacks on many accounts stopped.")
    package static let appAttest = Self(
        .counter, "ostiary_app_attest_total", labels: ["app", "subject", "outcome"],
        help: "Attestations and assertions of App Attest: ok, or the step that failed.")
    package static let riskLevels = Self(
        .counter, "ostiary_sign_in_risks_total", labels: ["app", "level", "outcome"],
        help: "Sign-ins whose risk was assessed, after the first factor.")
    package static let activeSessions = Self(
        .gauge, "ostiary_sessions_active",
        help: "Sessions that have not ended, at the last count. An estimate for large tables.")

    package static let messages = Self(
        .counter, "ostiary_messages_total", labels: ["channel", "outcome"], help: "Messages that were sent or given up."
    )
    package static let messageQueueDepth = Self(
        .gauge, "ostiary_message_queue_depth", help: "Messages that wait for delivery, at the last count.")
    package static let messagesHeldBack = Self(
        .counter, "ostiary_messages_held_back_total", labels: ["cap"], help: "Messages that a cap held back.")

    package static let passwordHashQueueDepth = Self(
        .gauge, "ostiary_password_hash_queue_depth", help: "Passwords that wait to be hashed.")
    package static let passwordHashDuration = Self(
        .histogram, "ostiary_password_hash_duration_seconds", help: "Time to hash or check a password, with its wait.")
    package static let compromisedPasswordFailures = Self(
        .counter, "ostiary_compromised_password_failures_total", labels: ["source"],
        help: "New passwords that could not be compared.")

    package static let storeCommitDuration = Self(
        .histogram, "ostiary_store_commit_duration_seconds",
        help: "Time of a durable transaction. With SQLite one transaction commits many writes.")
    package static let storePoolInUse = Self(
        .gauge, "ostiary_store_pool_in_use", help: "Connections to the database that are in use.")
    package static let databaseConnectionsOpen = Self(
        .gauge, "ostiary_database_connections_open", help: "Connections to PostgreSQL.")
    package static let databaseConnectionsBusy = Self(
        .gauge, "ostiary_database_connections_busy", help: "Connections to PostgreSQL that are in use.")
    package static let databaseConnectionsWaiting = Self(
        .gauge, "ostiary_database_connections_waiting", help: "Requests that wait for a connection to PostgreSQL.")

    package static let connectionsOpen = Self(.gauge, "ostiary_connections_open", help: "Connections open now.")
    package static let connectionsAccepted = Self(
        .counter, "ostiary_connections_accepted_total", help: "Connections accepted.")
    package static let connectionsRefused = Self(
        .counter, "ostiary_connections_refused_total", labels: ["reason"],
        help: "Connections closed at once because too many were open, or because of a request that no route can answer."
    )
    package static let connectionsTimedOut = Self(
        .counter, "ostiary_connections_timed_out_total", labels: ["deadline"],
        help: "Connections that missed a deadline.")
    package static let connectionsFailed = Self(
        .counter, "ostiary_connections_failed_total",
        help: "Connections that ended with an error, mostly failed handshakes.")
}
