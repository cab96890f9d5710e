/// The requests that wait, of everybody who shares a store, in the order in which they came.
public struct SavedQueue: Hashable, Sendable {
    public var requests: [QueuedRequest]

    public init(requests: [QueuedRequest] = []) { self.requests = requests }

    public static let empty = SavedQueue()

    func requests(of owner: QueueOwner) -> [QueuedRequest] { requests.filter { $0.owner == owner } }

    /// Whether a request was taken in, and how many of its owner wait then.
    enum Admission: Hashable, Sendable {
        case admitted(depth: Int)
        /// It waits already, in its old place.
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

/// How much may wait for each person.
public struct QueueLimits: Hashable, Sendable {
    public var requests: Int
    public var bytes: Int

    public init(requests: Int = 100, bytes: Int = 262_144) {
        self.requests = requests
        self.bytes = bytes
    }
}

/// How requests are queued while there is no network.
public struct QueueOptions: Sendable {
    public var store: any RequestQueueStore
    public var limits: QueueLimits
    /// Called when a queued request has ended, before the next one goes.
    ///
    /// Where the program is killed during the call, the request ends again in the next run, with the same id.
    public var whenEnded: @Sendable (QueuedRequest, QueueOutcome) async -> Void

    /// - Parameter store: By default one that forgets everything with the process.
    public init(
        store: any RequestQueueStore = MemoryRequestQueueStore(), limits: QueueLimits = QueueLimits(),
        whenEnded: @escaping @Sendable (QueuedRequest, QueueOutcome) async -> Void = { _, _ in }
    ) {
        self.store = store
        self.limits = limits
        self.whenEnded = whenEnded
    }
}
