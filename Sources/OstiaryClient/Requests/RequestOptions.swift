public import Foundation

/// The options by which an app's own requests are sent and their answers decoded. Everything has a default.
public struct RequestOptions: Sendable {
    /// The time limit of one call including all repetitions, for calls that name none.
    public var deadline: Duration
    /// The policy of repetitions.
    public var retries: RetryPolicy
    /// The rate limit of this client's requests; nil for none. In either case nothing is sent during a pause that the
    /// server asked for.
    public var limit: RequestLimit?
    /// Creates the encoder of bodies. Plain by default, regardless of the contract's naming: an app's API has its own.
    public var encoder: @Sendable () -> JSONEncoder
    /// Creates the decoder of answers. Plain by default, see ``encoder``.
    public var decoder: @Sendable () -> JSONDecoder

    /// Creates options from their parts.
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
