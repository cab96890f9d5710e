public import Foundation

/// How an app's own requests are sent and their answers read. Everything has a default.
public struct RequestOptions: Sendable {
    /// For one call with all its repetitions, where the call does not say.
    public var deadline: Duration
    public var retries: RetryPolicy
    /// How many requests this client sends at most; nil for as many as are asked for. Either way nothing is sent while the
    /// server has asked for a pause.
    public var limit: RequestLimit?
    /// Makes what writes bodies. Plain by default, whatever names the contract has: an app's API is its own.
    public var encoder: @Sendable () -> JSONEncoder
    /// Makes what reads answers. Plain by default, see ``encoder``.
    public var decoder: @Sendable () -> JSONDecoder

    public init(
        deadline: Duration = .seconds(60), retries: RetryPolicy = .standard, limit: RequestLimit? = .standard,
        encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() },
        decoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) {
        self.deadline = deadline
        self.retries = retries
        self.limit = limit
        self.encoder = encoder
        self.decoder = decoder
    }
}
