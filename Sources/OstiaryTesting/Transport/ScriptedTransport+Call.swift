public import OstiaryClient
public import OstiaryContracts

extension ScriptedTransport {
    /// One request that a client sent.
    public struct Call: Hashable, Sendable {
        /// The request's number, counted from 1.
        public let number: Int
        /// The request as the client sent it.
        public let request: WireRequest
        /// The address that the request was sent to.
        public let baseURL: BaseURL
        /// The time that the client allows for the exchange.
        public let deadline: Duration

        /// Creates a call from its parts.
        public init(number: Int, request: WireRequest, baseURL: BaseURL, deadline: Duration) {
            self.number = number
            self.request = request
            self.baseURL = baseURL
            self.deadline = deadline
        }

        /// The token of the Authorization header; `nil` if there is none.
        public var bearer: String? { request.headers["authorization"].flatMap(BearerToken.read) }
        /// The body as text; invalid UTF-8 is replaced.
        public var bodyText: String { String(decoding: request.body, as: UTF8.self) }
        /// The body as JSON; `nil` if it is not JSON.
        public var json: JSON? { try? JSON.read(request.body) }
    }
}
