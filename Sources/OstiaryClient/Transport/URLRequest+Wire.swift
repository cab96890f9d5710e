import Foundation
import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The request as URLSession sends it.
    ///
    /// - Throws: ``TransportError/unsendable``, as ``OutgoingRequest`` does, and for a GET or HEAD with a body: URLSession
    ///   refuses the one as it refuses a connection that broke, and sends the other without it.
    init(_ request: WireRequest, to baseURL: BaseURL, within deadline: Duration) throws(TransportError) {
        let request = try OutgoingRequest(request, to: baseURL)
        guard request.body.isEmpty || !["GET", "HEAD"].contains(request.method),
            let url = URL(string: request.url)
        else { throw .unsendable }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: deadline.timeInterval)
        httpMethod = request.method
        httpShouldHandleCookies = false
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
        if !request.body.isEmpty { httpBody = Data(request.body) }
    }
}

extension Duration {
    /// What no clock's reckoning overflows with: a sleep until the end of time ends the process.
    package var atMostADay: Duration { min(self, .seconds(86_400)) }

    var timeInterval: TimeInterval { TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18 }
}
