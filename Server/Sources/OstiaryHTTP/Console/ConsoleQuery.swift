import OstiaryContracts

/// The parameters of a page: each name once, of limited length, empty ones left out.
struct ConsoleQuery {
    /// In the order of the query.
    let parameters: [(name: String, value: String?)]

    private static let maximumCount = 32
    private static let maximumBytes = 512

    init(_ text: String) {
        var parameters: [(name: String, value: String?)] = []
        for case .named(let name, let value) in ParameterReader(text) {
            guard parameters.count < Self.maximumCount, name.utf8.count <= 64, value.utf8.count <= Self.maximumBytes,
                !value.isEmpty, !parameters.contains(where: { $0.name.utf8.elementsEqual(name.utf8) })
            else { continue }
            parameters.append((name, value))
        }
        self.parameters = parameters
    }

    subscript(name: String) -> String? {
        parameters.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    subscript(integer name: String) -> Int? { self[name].flatMap { $0.utf8.count <= 18 ? Int($0) : nil } }

    /// Returns the parameters with these names, in this order.
    func values(of names: [String]) -> [(name: String, value: String?)] { names.map { ($0, self[$0]) } }
}
