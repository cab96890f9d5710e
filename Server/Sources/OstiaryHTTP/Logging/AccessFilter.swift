import OstiaryCore
package import OstiaryEngine

/// The requests that a reader of the access log asks for: those that every condition selects.
package struct AccessFilter: Codable, Hashable, Sendable {
    package var app: String?
    package var operation: String?
    package var status: ClosedRange<Int>?
    /// In CIDR notation.
    private var network: String?
    package var traceID: String?
    package var slowerThanMilliseconds: Double?

    package init() {}

    /// The names of operations: of contracts, of the admin API, of the addresses that browsers return to, and of requests that
    /// reach none of them.
    package static var operationNames: [String] {
        let performed = OperationKind.allCases.map(\.rawValue) + AdminAPIServer.operationNames
        let others = BrowserEndpoint.allCases.map(\.rawValue) + RequestLabel.allCases.map(\.rawValue)
        return Set(performed + others).sorted()
    }

    /// Returns `true` if requests can have this operation. A page's is its path, or the part of the server and the path.
    package static func isOperation(_ name: String) -> Bool {
        operationNames.contains(name) || ["/", "idp ", "console "].contains { name.utf8.starts(with: $0.utf8) }
    }

    /// The network of the clients.
    package var range: AddressRange? {
        get { network.flatMap { AddressRange($0) } }
        set { network = newValue?.description }
    }

    /// Returns the statuses that a text selects: `404`, or `4xx` for a class.
    package static func statuses(_ text: String) -> ClosedRange<Int>? {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (0x31...0x35).contains(bytes[0]) else { return nil }
        if bytes[1...].elementsEqual("xx".utf8) {
            let first = Int(bytes[0] - 0x30) * 100
            return first...first + 99
        }
        return Int(text).map { $0...$0 }
    }

    func selects(_ record: AccessRecord) -> Bool {
        if let app, app != record.app { return false }
        if let operation, operation != record.operation { return false }
        if let status, !status.contains(record.status) { return false }
        if let traceID, traceID != record.traceID { return false }
        if let slowerThanMilliseconds, record.milliseconds < slowerThanMilliseconds { return false }
        guard network != nil else { return true }
        // One that is no network selects nothing.
        guard let range, let address = IPAddress(record.address) else { return false }
        return range.contains(address)
    }
}
