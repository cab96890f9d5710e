/// The waiting requests of all users who share a store, in the order in which they were queued.
public struct SavedQueue: Hashable, Sendable {
    /// The requests, oldest first.
    public var requests: [QueuedRequest]

    /// Creates a queue of the given requests.
    public init(requests: [QueuedRequest] = []) { self.requests = requests }

    /// A queue without requests.
    public static let empty = SavedQueue()

    func requests(of owner: QueueOwner) -> [QueuedRequest] { requests.filter { $0.owner == owner } }

    /// The outcome of adding a request, with the number of its owner's waiting requests.
    enum Admission: Hashable, Sendable {
        case admitted(depth: Int)
        /// The request is waiting already, and keeps its position.
        case known
        case full
    }

    mutating func admit(_ request: QueuedRequest, _ limits: QueueLimits) -> Admission {
        guard !requests.contains(where: { $0.id == request.id }) else { return .known }
        let waiting = requests(of: request.owner)
        guard waiting.count < limits.requests,
            waiting.reduce(request.bytes, { $0 + $1.bytes }) <= limits.bytes
        else { return .full }
        requests.append(request)
        return .admitted(depth: waiting.count + 1)
    }
}

/// The limits of the waiting requests of each user.
public struct QueueLimits: Hashable, Sendable {
    /// The maximum number of requests.
    public var requests: Int
    /// The maximum total size of methods, paths, queries, headers and bodies, in bytes.
    public var bytes: Int

    /// Creates limits from their parts.
    public init(requests: Int = 100, bytes: Int = 262_144) {
        self.requests = requests
        self.bytes = bytes
    }
}

/// The options of the offline queue.
public struct QueueOptions: Sendable {
    /// The store of the queued requests.
    public var store: any RequestQueueStore
    /// The limits for each user.
    public var limits: QueueLimits
    /// A callback with the outcome of a queued request, called before the next one is sent.
    ///
    /// If the process is killed during the call, the callback is called again in the next run, with the same id. In the
    /// callback ``AuthClient/retryQueue()`` returns immediately, and the queue goes on after the callback.
    public var whenEnded: @Sendable (QueuedRequest, QueueOutcome) async -> Void

    /// Creates options from their parts.
    ///
    /// - Parameter store: By default a store in memory, which loses the requests with the process.
    public init(
        store: any RequestQueueStore = MemoryRequestQueueStore(), limits: QueueLimits = QueueLimits(),
        whenEnded: @escaping @Sendable (QueuedRequest, QueueOutcome) async -> Void = { _, _ in }
    ) {
        self.store = store
        self.limits = limits
        self.whenEnded = whenEnded
    }
}
