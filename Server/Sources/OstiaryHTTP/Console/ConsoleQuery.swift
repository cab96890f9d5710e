import OstiaryContracts

/// The parameters of a page: each name once, of limited length, empty ones left out.
struct ConsoleQuery {
    /// In the order of the query.
    let parameters: [(name: String, value: String?)]
    /// The parameters that are left out, with the codes of their problems: a value that is too long, or a second value.
    let problems: [(name: String, code: String)]

    private static let maximumCount = 32
    private static let maximumBytes = 512

    init(_ text: String) {
        var parameters: [(name: String, value: String?)] = []
        var problems: [(name: String, code: String)] = []
        for case .named(let name, let value) in ParameterReader(text) {
            guard parameters.count + problems.count < Self.maximumCount, name.utf8.count <= 64, !value.isEmpty
            else { continue }
            if value.utf8.count > Self.maximumBytes {
                problems.append((name, "too_long"))
            } else if parameters.contains(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                problems.append((name, "malformed"))
            } else {
                parameters.append((name, value))
            }
        }
        self.parameters = parameters
        self.problems = problems
    }

    subscript(name: String) -> String? {
        parameters.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    subscript(integer name: String) -> Int? { self[name].flatMap { $0.utf8.count <= 18 ? Int($0) : nil } }

    /// Returns the parameters with these names, in this order.
    func values(of names: [String]) -> [(name: String, value: String?)] { names.map { ($0, self[$0]) } }
}
