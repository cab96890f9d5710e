import Foundation
import Logging
import OstiaryConfiguration
import OstiaryHTTP
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Runs the workers by the configuration in use, and reads the configuration again on SIGHUP.
///
/// A configuration is taken as a whole or not at all: one that is invalid, or that needs a restart, leaves the one in use as
/// it is.
struct ConfigurationReloader: Service {
    let current: CurrentServer
    /// Reads the configuration, and everything that it refers to.
    let load: @Sendable () throws -> ResolvedConfiguration
    /// The service manager that is told of reloads; nil without one.
    let manager: ServiceManager?
    let reloads: ReloadCounts
    let logOptions: LogOptions
    let log: Logger

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup)
        // Signals that arrive during a reload are one, so that a burst of them leaves no queue.
        let (events, sink) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let failure = WorkerFailure()
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask {
                for await _ in signals.cancelOnGracefulShutdown() { sink.yield() }
                sink.finish()
            }
            func start(_ workers: ConfigurationWorkers) {
                group.addTask {
                    do { try await workers.run() } catch {
                        failure.note(error)
                        sink.yield()
                    }
                }
            }
            var workers = ConfigurationWorkers(current.dependencies, log: log)
            start(workers)
            for await _ in events {
                if let error = failure.error { throw error }
                guard await reload() else { continue }
                let successors = ConfigurationWorkers(current.dependencies, log: log)
                start(successors)
                // Waited for, so that no more than two generations of workers exist.
                await workers.stop()
                workers = successors
            }
        }
    }

    /// Reads the configuration and takes it into use.
    ///
    /// - Returns: `false` if it was refused.
    private func reload() async -> Bool {
        manager?.send(.reloading)
        defer { manager?.send(.ready) }
        let before = current.dependencies
        do {
            let compromised = before.resources.compromisedPasswords
            let resolved = try await blocking { [load] in
                let resolved = try load()
                // Large files are read here, on a thread that nothing else waits for.
                for app in resolved.configuration.apps { _ = try compromised.list(of: app) }
                return resolved
            }
            let fixed = resolved.configuration.settingsThatNeedRestart(after: before.resolved.configuration)
            guard fixed.isEmpty else { throw NeedsRestart(settings: fixed) }
            current.replace(by: try await ServerDependencies(resolved, before.resources, after: before))
            let changes = resolved.snapshot.changes(since: before.resolved.snapshot)
            logOptions.set(resolved.configuration.log)
            log.notice(
                "configuration reloaded",
                metadata: ["changed": "\(changes.isEmpty ? "nothing" : changes.joined(separator: ", "))"])
            resolved.warn(log)
            reloads.add(isApplied: true)
            return true
        } catch {
            log.error(
                "configuration not reloaded, the one before stays in use", metadata: ["problem": "\(error)"])
            reloads.add(isApplied: false)
            return false
        }
    }
}

/// A change of settings that a running server has no other way to take.
private struct NeedsRestart: Error, CustomStringConvertible {
    let settings: [String]

    var description: String { "needs a restart: \(settings.joined(separator: ", "))" }
}

/// The error with which a worker ended, which ends the server.
private final class WorkerFailure: Sendable {
    private let state = Mutex<(any Error)?>(nil)

    var error: (any Error)? { state.withLock { $0 } }
    func note(_ error: any Error) { state.withLock { $0 = error } }
}
