import Foundation

/// The seconds since its creation: on a clock, and of the processor time of this process.
struct Stopwatch {
    struct Reading {
        let seconds: Double
        let processorSeconds: Double
    }

    private let start = ContinuousClock.now
    private let processorStart = Self.processorSeconds

    var reading: Reading {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return Reading(
            seconds: Double(seconds) + Double(attoseconds) * 1e-18,
            processorSeconds: Self.processorSeconds - processorStart)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
