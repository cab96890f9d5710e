/// The settings that a connection keeps from the moment it is accepted.
package struct ConnectionSettings: Sendable {
    package var limits: ConnectionLimits
    /// The TLS certificate; nil for plain HTTP.
    package var certificate: TLSCertificate?
    /// The trusted proxies, whose connections are not counted by network.
    package var proxies: ProxyTrust

    package init(
        limits: ConnectionLimits = ConnectionLimits(), certificate: TLSCertificate? = nil,
        proxies: ProxyTrust = ProxyTrust()
    ) {
        self.limits = limits
        self.certificate = certificate
        self.proxies = proxies
    }
}
