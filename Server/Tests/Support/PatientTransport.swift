package import OstiaryClient
package import OstiaryContracts

/// URLSession's, with as much time as a busy machine takes: how long a refresh may take is for the test's clock to say.
package struct PatientTransport: Transport {
    package init() {}

    private let transport = URLSessionTransport()

    package func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        try await transport.send(request, to: baseURL, within: .seconds(240))
    }
}
