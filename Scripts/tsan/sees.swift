import Foundation
import Synchronization

/// Eight threads increment one counter: `race` without a lock, `mutex` with a contended one.
final class Count: @unchecked Sendable {
    var unguarded = 0
    let guarded = Mutex(0)
}

let isRace = CommandLine.arguments.dropFirst() == ["race"]
let count = Count()
let threads = (0..<8).map { _ in
    Thread {
        for _ in 0..<20_000 {
            if isRace { count.unguarded += 1 } else { count.guarded.withLock { $0 += 1 } }
        }
    }
}
for thread in threads { thread.start() }
while !threads.allSatisfy(\.isFinished) { usleep(1000) }
