import NIOCore

/// A timer for one deadline of a connection, moved often and rarely reached.
///
/// Moving the deadline later schedules nothing: the scheduled task checks the deadline when it runs and reschedules
/// itself.
final class DeadlineTimer {
    private let eventLoop: any EventLoop
    private let fire: () -> Void
    private var deadline: NIODeadline?
    private var scheduled: (task: Scheduled<Void>, at: NIODeadline)?

    /// - Parameter fire: Runs on the event loop at the deadline. The timer retains the closure's captures.
    init(on eventLoop: any EventLoop, fire: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.fire = fire
    }

    /// Sets the deadline; nil for none.
    func set(_ deadline: NIODeadline?) {
        self.deadline = deadline
        guard let deadline else { return }
        if let scheduled {
            guard deadline < scheduled.at else { return }
            scheduled.task.cancel()
        }
        schedule(at: deadline)
    }

    func cancel() {
        deadline = nil
        scheduled?.task.cancel()
        scheduled = nil
    }

    private func schedule(at time: NIODeadline) {
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: time) { [weak self] in
            guard let self else { return }
            scheduled = nil
            guard let deadline else { return }
            if eventLoop.now < deadline {
                schedule(at: deadline)
            } else {
                self.deadline = nil
                fire()
            }
        }
        scheduled = (task, time)
    }
}
