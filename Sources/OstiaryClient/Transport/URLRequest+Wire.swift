import Foundation
import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// Creates the request as URLSession sends it.
    ///
    /// - Throws: ``TransportError/unsendable``, as ``OutgoingRequest`` does, and for a GET or HEAD with a body:
    ///   URLSession rejects a GET with a body with the error of a broken connection, and sends a HEAD without its body.
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
    /// The duration limited to one day, so that no clock arithmetic overflows: a sleep until the end of time crashes
    /// the process.
    package var atMostADay: Duration { min(self, .seconds(86_400)) }

    var timeInterval: TimeInterval { TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18 }
}
