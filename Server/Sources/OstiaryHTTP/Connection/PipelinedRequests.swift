import NIOCore

/// The requests of a connection and the progress of their answers. Pure.
struct PipelinedRequests {
    /// Requests whose answers are incomplete, oldest first: `true` for a HEAD, whose answer has no body.
    private var unanswered = CircularBuffer<Bool>()
    private(set) var requests = 0
    /// `true` if a request's head has arrived and its end has not.
    private(set) var isReading = false
    /// `true` if no request will follow the last one.
    private(set) var isLastRequest = false

    var waiting: Int { unanswered.count }
    var answersHead: Bool { unanswered.first ?? false }

    mutating func requestBegan(_ request: RequestHead) {
        requests += 1
        isReading = true
        unanswered.append(request.isHead)
        if request.closes { isLastRequest = true }
    }

    mutating func requestEnded() { isReading = false }

    mutating func noMoreRequests() { isLastRequest = true }

    mutating func answerEnded() {
        if !unanswered.isEmpty { unanswered.removeFirst() }
    }

    /// The number of answers that must be complete before a refusal may be written: those to the requests before the
    /// refused one.
    var answersBeforeRefusal: Int { isReading ? max(waiting - 1, 0) : waiting }
}
