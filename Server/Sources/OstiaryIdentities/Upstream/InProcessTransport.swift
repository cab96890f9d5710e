/// Answers requests within the process, as the built-in provider does.
public struct InProcessTransport: UpstreamTransport {
    private let answer: @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    public init(_ answer: @escaping @Sendable (UpstreamRequest) async throws -> UpstreamResponse) {
        self.answer = answer
    }

    public func send(_ request: UpstreamRequest) async throws -> UpstreamResponse { try await answer(request) }
}
