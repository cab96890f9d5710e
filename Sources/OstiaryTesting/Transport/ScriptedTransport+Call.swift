public import OstiaryClient
public import OstiaryContracts

extension ScriptedTransport {
    /// One request that a client sent.
    public struct Call: Hashable, Sendable {
        /// The first request is 1.
        public let number: Int
        public let request: WireRequest
        public let baseURL: BaseURL
        public let deadline: Duration

        public init(number: Int, request: WireRequest, baseURL: BaseURL, deadline: Duration) {
            self.number = number
            self.request = request
            self.baseURL = baseURL
            self.deadline = deadline
        }

        /// The token of the Authorization header; nil if there is none.
        public var bearer: String? { request.headers["authorization"].flatMap(BearerToken.read) }
        public var bodyText: String { String(decoding: request.body, as: UTF8.self) }
        /// The body; nil if it is no JSON.
        public var json: JSON? { try? JSON.read(request.body) }
    }
}
