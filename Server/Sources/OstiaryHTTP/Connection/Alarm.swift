import NIOCore

/// One deadline of a connection, moved often and rarely reached.
///
/// Moving it later costs nothing: the scheduled task looks at the deadline when it runs and goes on waiting.
final class Alarm {
    private let eventLoop: any EventLoop
    private let ring: () -> Void
    private var deadline: NIODeadline?
    private var scheduled: (task: Scheduled<Void>, at: NIODeadline)?

    /// - Parameter ring: runs on the event loop once the deadline is reached. What it holds is held until the alarm is let go.
    init(on eventLoop: any EventLoop, ring: @escaping () -> Void) {
        self.eventLoop = eventLoop
        self.ring = ring
    }

    /// Sets the deadline, or none.
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
                ring()
            }
        }
        scheduled = (task, time)
    }
}
