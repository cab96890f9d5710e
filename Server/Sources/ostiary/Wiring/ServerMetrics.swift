import Foundation
import OstiaryDelivery
import OstiaryEngine
import OstiaryHTTP
import OstiaryIdentities
import OstiaryStore

/// The metrics of a running server besides those of requests, read on each scrape.
struct ServerMetrics: Sendable {
    let resources: ServerResources
    let connections: ConnectionMetrics
    let sampled: SampledCounts
    let reloads: ReloadCounts

    var families: [MetricFamily] {
        [MetricFamily(.buildInfo, [([Version.current], 1)])]
            + configuration + operations + messages + passwords + store + network(connections.counts)
    }

    private var configuration: [MetricFamily] {
        [
            MetricFamily(
                .configurationReloads, [(["applied"], reloads.applied), (["refused"], reloads.refused)]),
            MetricFamily(.lastReloadSuccessful, reloads.lastWasRefused ? 0 : 1),
        ]
    }

    private var operations: [MetricFamily] {
        let counts = resources.operationCounts.counts
        func family(
            _ description: MetricDescription, _ series: OperationCounts.Series,
            _ labels: (OperationCounts.Key) -> [String]
        ) -> MetricFamily {
            MetricFamily(description, counts.filter { $0.key.series == series }.map { (labels($0.key), $0.value) })
        }
        return [
            family(.signIns, .signIns) { [$0.app, $0.method, $0.outcome] },
            family(.registrations, .registrations) { [$0.app, $0.outcome] },
            family(.refreshes, .refreshes) { [$0.outcome] },
            family(.secondFactors, .secondFactors) { [$0.method, $0.outcome] },
            MetricFamily(.attacks, Attack.allCases.map { ([$0.rawValue], resources.attackCounts.count($0)) }),
            family(.appAttest, .appAttest) { [$0.app, $0.method, $0.outcome] },
            family(.riskLevels, .risks) { [$0.app, $0.method, $0.outcome] },
            MetricFamily(.activeSessions, sampled.activeSessions),
        ]
    }

    private var messages: [MetricFamily] {
        [
            MetricFamily(
                .messages,
                resources.deliveryCounts.counts.map { ([$0.key.channel, $0.key.outcome.rawValue], $0.value) }),
            MetricFamily(.messageQueueDepth, sampled.queuedMessages),
            MetricFamily(
                .messagesHeldBack, MessageCap.allCases.map { ([$0.rawValue], resources.capHits.count($0)) }),
        ]
    }

    private var passwords: [MetricFamily] {
        let pool = resources.passwordPool
        return [
            MetricFamily(.passwordHashQueueDepth, pool.waitingCount),
            MetricFamily(.passwordHashDuration, pool.durations.counts),
            MetricFamily(
                .compromisedPasswordFailures, [(["url"], resources.compromisedPasswords.failures.count)]),
        ]
    }

    private var store: [MetricFamily] {
        guard let store = resources.store as? any ObservedStore else { return [] }
        let measured = [
            MetricFamily(.storeCommitDuration, store.commitDurations.counts),
            MetricFamily(.storePoolInUse, store.connectionsInUse),
        ]
        guard let postgres = store as? PostgresStore else { return measured }
        let counts = postgres.connectionCounts
        return measured + [
            MetricFamily(.databaseConnectionsOpen, counts.open), MetricFamily(.databaseConnectionsBusy, counts.busy),
            MetricFamily(.databaseConnectionsWaiting, counts.waiting),
        ]
    }

    private func network(_ counts: ConnectionMetrics.Counts) -> [MetricFamily] {
        let limits = [(["capacity"], counts.overCapacity), (["network_share"], counts.overNetworkShare)]
        return [
            MetricFamily(.connectionsOpen, counts.open), MetricFamily(.connectionsAccepted, counts.accepted),
            MetricFamily(
                .connectionsRefused,
                limits + RequestRefusal.Kind.allCases.map { ([$0.rawValue], counts.refused[$0] ?? 0) }),
            MetricFamily(
                .connectionsTimedOut,
                ConnectionMetrics.Deadline.allCases.map { ([$0.rawValue], counts.timedOut[$0] ?? 0) }),
            MetricFamily(.connectionsFailed, counts.failed),
        ]
    }
}
