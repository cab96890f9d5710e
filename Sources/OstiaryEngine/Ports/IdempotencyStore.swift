public import Foundation

/// A store of the answers to requests that may be repeated.
///
/// A request is claimed before it is performed, so that no two nodes perform it at once. A claim that was neither
/// completed nor released, because its process ended, expires.
public protocol IdempotencyStore: Sendable {
    /// Claims a request, unless it was answered or another process performs it.
    func claim(_ request: IdempotentRequest, at now: Date) async throws -> IdempotencyClaim

    /// Keeps the answer of a claimed request until the request expires. Does nothing if the claim was taken over.
    ///
    /// - Parameter sealed: The answer, encrypted.
    func complete(_ request: IdempotentRequest, with sealed: [UInt8]) async throws

    /// Gives up a claim, so that the request can be repeated. Does nothing if the claim was taken over.
    func release(_ request: IdempotentRequest) async throws
}

/// A request that may be repeated, and its claim.
public struct IdempotentRequest: Hashable, Sendable {
    /// A keyed hash of the actor, the method, the path and the client's key.
    public var hash: [UInt8]
    /// A keyed hash of the body.
    public var bodyHash: [UInt8]
    /// A random id of this claim: a UUID.
    public var claim: String
    /// The time at which the claim expires.
    public var claimedUntil: Date
    /// The time at which the answer is forgotten.
    public var expiresAt: Date

    /// Creates a request from its parts.
    public init(hash: [UInt8], bodyHash: [UInt8], claim: String, claimedUntil: Date, expiresAt: Date) {
        self.hash = hash
        self.bodyHash = bodyHash
        self.claim = claim
        self.claimedUntil = claimedUntil
        self.expiresAt = expiresAt
    }
}

/// The outcome of claiming a request.
public enum IdempotencyClaim: Hashable, Sendable {
    /// The request is to be performed.
    case claimed
    /// The request was performed; holds the kept answer.
    case answered([UInt8])
    /// The request is being performed until that time at most.
    case inUse(until: Date)
    /// A request with another body has the key.
    case differs
}
