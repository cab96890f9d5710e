import Foundation
import OstiaryContracts

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
    /// The request as URLSession sends it.
    ///
    /// - Throws: ``TransportError/unsendable``, as ``OutgoingRequest`` does.
    init(_ request: WireRequest, to baseURL: BaseURL, within deadline: Duration) throws(TransportError) {
        let request = try OutgoingRequest(request, to: baseURL)
        guard let url = URL(string: request.url) else { throw .unsendable }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: deadline.timeInterval)
        httpMethod = request.method
        httpShouldHandleCookies = false
        for (name, value) in request.headers { setValue(value, forHTTPHeaderField: name) }
        if !request.body.isEmpty { httpBody = Data(request.body) }
    }
}

extension Duration {
    var timeInterval: TimeInterval { TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18 }
}
