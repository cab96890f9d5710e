import NIOCore
import NIOPosix
import ServiceLifecycle

/// Tells the service manager that the process is alive, and that it stops.
///
/// Each sign of life has passed through an event loop and through the concurrency pool: a process in which one of them is
/// blocked gives none. The state of the store is no part of it, because a restart would not improve it: `/readyz` reports it.
struct Watchdog: Service {
    private let manager: ServiceManager
    private let start = AsyncStream<Void>.makeStream()

    init(manager: ServiceManager) { self.manager = manager }

    /// Tells the service manager that the server listens, and begins to give signs of life.
    func begin() {
        manager.send(.ready)
        start.continuation.finish()
    }

    func run() async throws {
        await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { await giveSigns() }
        } onGracefulShutdown: {
            manager.send(.stopping)
        }
    }

    private func giveSigns() async {
        for await _ in start.stream {}
        guard let interval = manager.watchdogInterval else { return await untilCancelled() }
        while !Task.isCancelled {
            for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
                guard (try? await loop.submit({}).get()) != nil else { return }
            }
            manager.send(.alive)
            // Half of the limit, as sd_watchdog_enabled(3) recommends.
            do { try await Task.sleep(for: interval / 2) } catch { return }
        }
    }

    private func untilCancelled() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }
}
