public import Foundation

extension MemoryStore {
    /// Claims a request, unless it was answered or another process performs it.
    public func claim(_ request: IdempotentRequest, at now: Date) -> IdempotencyClaim {
        transaction { tables in
            let now = now.asStored
            if let row = tables.idempotentRequests[request.hash], row.request.expiresAt > now {
                guard row.request.bodyHash == request.bodyHash else {
                    // An abandoned claim has no answer that another body could be mistaken for.
                    guard row.answer == nil, row.request.claimedUntil <= now else { return .differs }
                    tables.idempotentRequests[request.hash] = IdempotentRequestRow(request: request.asStored)
                    return .claimed
                }
                if let answer = row.answer { return .answered(answer) }
                if row.request.claimedUntil > now { return .inUse(until: row.request.claimedUntil) }
            }
            tables.idempotentRequests[request.hash] = IdempotentRequestRow(request: request.asStored)
            return .claimed
        }
    }

    /// Keeps the answer of a claimed request until the request expires. Does nothing if the claim was taken over.
    public func complete(_ request: IdempotentRequest, with sealed: [UInt8]) {
        transaction { tables in
            guard tables.idempotentRequests[request.hash]?.request.claim == request.claim else { return }
            tables.idempotentRequests[request.hash]?.answer = sealed
        }
    }

    /// Gives up a claim, so that the request can be repeated. Does nothing if the claim was taken over.
    public func release(_ request: IdempotentRequest) {
        transaction { tables in
            guard let row = tables.idempotentRequests[request.hash], row.request.claim == request.claim,
                row.answer == nil
            else { return }
            tables.idempotentRequests[request.hash] = nil
        }
    }
}

struct IdempotentRequestRow: Sendable {
    var request: IdempotentRequest
    /// The sealed answer; nil while the request is performed.
    var answer: [UInt8]?
}

extension IdempotentRequest {
    fileprivate var asStored: IdempotentRequest {
        var request = self
        request.claimedUntil = claimedUntil.asStored
        request.expiresAt = expiresAt.asStored
        return request
    }
}
