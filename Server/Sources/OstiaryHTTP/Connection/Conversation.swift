import HTTPTypes
import NIOCore

/// Which requests of a connection came and which were answered. Pure.
struct Conversation {
    /// Requests whose answers are not complete, oldest first: whether each was a HEAD, whose answer has no body.
    private var unanswered = CircularBuffer<Bool>()
    private(set) var requests = 0
    /// A request's head came, its end did not.
    private(set) var isReading = false
    /// The oldest unanswered request's answer began.
    private(set) var isAnswering = false
    /// No request will follow the last one.
    private(set) var isLastRequest = false

    var waiting: Int { unanswered.count }
    var answersHead: Bool { unanswered.first ?? false }

    mutating func requestBegan(_ request: HTTPRequest) {
        requests += 1
        isReading = true
        unanswered.append(request.method == .head)
        if request.headerFields[.connection] == "close" { isLastRequest = true }
    }

    mutating func requestEnded() { isReading = false }

    mutating func noMoreRequests() { isLastRequest = true }

    mutating func answerBegan() { isAnswering = true }

    mutating func answerEnded() {
        isAnswering = false
        if !unanswered.isEmpty { unanswered.removeFirst() }
    }

    /// Answers that must be complete before a refusal may be written now: those to the requests before the refused one.
    var answersBeforeRefusal: Int { isReading ? max(waiting - 1, 0) : waiting }

    /// Whether the request being read was answered, or began to be, before it was complete.
    var isAnsweredEarly: Bool { isReading && (waiting == 0 || (waiting == 1 && isAnswering)) }
}
