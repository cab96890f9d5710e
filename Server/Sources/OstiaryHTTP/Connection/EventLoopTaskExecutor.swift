import NIOCore

/// Runs the tasks of a connection on the thread of its event loop, so that no request waits for another thread.
///
/// Source: SE-0417.
final class EventLoopTaskExecutor: TaskExecutor {
    private let eventLoop: any EventLoop

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        eventLoop.execute { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Runs a task, from the event loop: at once until it waits for the first time, where the system can (SE-0472).
    func begin(_ operation: sending @escaping @isolated(any) () async -> Void) {
        if #available(macOS 26, *) {
            Task.immediateDetached(executorPreference: self, operation: operation)
        } else {
            Task.detached(executorPreference: self, operation: operation)
        }
    }
}
