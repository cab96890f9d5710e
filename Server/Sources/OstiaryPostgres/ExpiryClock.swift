import Dispatch
import Synchronization

/// A timer that fires ten times a second, so that deadlines need no timer each.
final class ExpiryClock: Sendable {
    private let timer: Mutex<(any DispatchSourceTimer)?> = Mutex(nil)

    func start(_ body: @escaping @Sendable () -> Void) {
        timer.withLock { timer in
            let source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ostiary.postgres.expiry"))
            source.schedule(
                deadline: .now() + .milliseconds(100), repeating: .milliseconds(100), leeway: .milliseconds(20))
            source.setEventHandler(handler: DispatchWorkItem(block: body))
            source.resume()
            timer = source
        }
    }

    func stop() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
    }

    deinit { stop() }
}
