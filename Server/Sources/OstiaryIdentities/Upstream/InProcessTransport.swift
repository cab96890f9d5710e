/// A transport within the process, to the built-in provider.
package struct InProcessTransport: UpstreamTransport {
    private let answer: @Sendable (UpstreamRequest) async throws -> UpstreamResponse

    package init(_ answer: @escaping @Sendable (UpstreamRequest) async throws -> UpstreamResponse) {
        self.answer = answer
    }

    package func send(_ request: UpstreamRequest) async throws -> UpstreamResponse { try await answer(request) }
}
