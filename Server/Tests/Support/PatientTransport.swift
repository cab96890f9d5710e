package import OstiaryClient
package import OstiaryContracts

/// URLSession's transport with a time limit for busy machines: the test's clock determines how long a refresh may take.
package struct PatientTransport: Transport {
    package init() {}

    private let transport = URLSessionTransport()

    package func send(
        _ request: WireRequest, to baseURL: BaseURL, within deadline: Duration
    ) async throws(TransportError) -> WireResponse {
        try await transport.send(request, to: baseURL, within: .seconds(240))
    }
}
