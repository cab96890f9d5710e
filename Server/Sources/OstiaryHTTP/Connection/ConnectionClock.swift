import NIOCore

/// When the things happened that a connection's deadlines are counted from. Pure.
struct ConnectionClock {
    private let limits: ConnectionLimits
    private var began = NIODeadline.uptimeNanoseconds(0)
    private var requestBegan = NIODeadline.uptimeNanoseconds(0)
    private var lastAnswer = NIODeadline.uptimeNanoseconds(0)
    private var headBegan: NIODeadline?

    init(limits: ConnectionLimits) {
        self.limits = limits
    }

    /// The first bytes of a request came, its head is not complete.
    var isReadingHead: Bool { headBegan != nil }

    mutating func connectionBegan(_ now: NIODeadline) { began = now }

    mutating func headBegan(_ now: NIODeadline) { headBegan = now }

    mutating func headEnded(_ now: NIODeadline) {
        headBegan = nil
        requestBegan = now
    }

    mutating func answerEnded(_ now: NIODeadline) { lastAnswer = now }

    /// The moment until which the client must have done its next step, or nil while the routes are at work.
    func deadline(in conversation: Conversation) -> NIODeadline? {
        if conversation.isReading {
            // While earlier requests are unanswered the client may rightly be kept from sending.
            guard conversation.waiting <= 1 else { return nil }
            return max(requestBegan, lastAnswer) + TimeAmount(limits.bodyDeadline)
        }
        if conversation.waiting > 0 { return nil }
        if let headBegan { return max(headBegan, lastAnswer) + TimeAmount(limits.headerDeadline) }
        if conversation.requests == 0 { return began + TimeAmount(limits.headerDeadline) }
        return lastAnswer + TimeAmount(limits.idleDeadline)
    }
}
