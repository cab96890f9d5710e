import OstiaryStore
import Synchronization

/// The progress of a copy, in the last line of a terminal.
final class CopyProgress: Sendable {
    private let lines = Mutex((copied: ProgressLine("copied"), verified: ProgressLine("compared")))

    func show(_ progress: StoreCopy.Progress) {
        lines.withLock { lines in
            switch progress {
            case .copied(let count, let total): lines.copied.show(count, part: Self.part(count, of: total))
            case .verified(let count, let total): lines.verified.show(count, part: Self.part(count, of: total))
            }
        }
    }

    func clear() {
        lines.withLock { lines in
            lines.copied.clear()
            lines.verified.clear()
        }
    }

    private static func part(_ count: Int, of total: Int) -> Double { total == 0 ? 1 : Double(count) / Double(total) }
}
