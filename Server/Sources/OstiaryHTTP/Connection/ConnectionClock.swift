import NIOCore

/// The times of the events from which a connection's deadlines are counted. Pure.
struct ConnectionClock {
    private let limits: ConnectionLimits
    private var began = NIODeadline.uptimeNanoseconds(0)
    private var requestBegan = NIODeadline.uptimeNanoseconds(0)
    private var lastAnswer = NIODeadline.uptimeNanoseconds(0)
    private var headBegan: NIODeadline?
    private var shutdownBegan: NIODeadline?

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// `true` if the first bytes of a request have arrived and its head is incomplete.
    var isReadingHead: Bool { headBegan != nil }

    mutating func connectionBegan(_ now: NIODeadline) { began = now }

    mutating func headBegan(_ now: NIODeadline) { headBegan = now }

    mutating func headEnded(_ now: NIODeadline) {
        headBegan = nil
        requestBegan = now
    }

    mutating func answerEnded(_ now: NIODeadline) { lastAnswer = now }

    mutating func shutdownBegan(_ now: NIODeadline) { shutdownBegan = now }

    /// Returns the time by which the client must take its next step; nil while the routes handle its requests.
    func deadline(in pipelined: PipelinedRequests) -> NIODeadline? {
        let deadline = usualDeadline(in: pipelined)
        guard let deadline, let shutdownBegan else { return deadline }
        return min(deadline, max(shutdownBegan, lastAnswer) + TimeAmount(limits.shutdownDeadline))
    }

    private func usualDeadline(in pipelined: PipelinedRequests) -> NIODeadline? {
        if pipelined.isReading {
            // While earlier requests are unanswered, backpressure may keep the client from sending.
            guard pipelined.waiting <= 1 else { return nil }
            return max(requestBegan, lastAnswer) + TimeAmount(limits.bodyDeadline)
        }
        if pipelined.waiting > 0 { return nil }
        if let headBegan { return max(headBegan, lastAnswer) + TimeAmount(limits.headerDeadline) }
        if pipelined.requests == 0 { return began + TimeAmount(limits.headerDeadline) }
        return lastAnswer + TimeAmount(limits.idleDeadline)
    }
}
