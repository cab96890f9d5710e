/// The problems of one input. Its refusal has all of them, so that they can be corrected at once.
struct FieldProblems {
    /// The number of problems that a refusal has at most: a caller decides how many fields an input has.
    private static let maximumCount = 100

    private var found: [AdministrationProblem] = []

    /// Creates an empty list.
    init() {}

    /// The first problem, with the others as its ``AdministrationProblem/further``; nil for none.
    var refusal: AdministrationProblem? {
        guard var first = found.first else { return nil }
        first.further = Array(found.dropFirst())
        return first
    }

    /// Adds a problem, unless its field has one.
    mutating func add(_ problem: AdministrationProblem) {
        for problem in problem.all where found.count < Self.maximumCount {
            if !found.contains(where: { $0.pointer == problem.pointer }) { found.append(problem) }
        }
    }

    /// Performs a check, and keeps its problem.
    ///
    /// - Returns: The result of the check; nil after a problem.
    @discardableResult
    mutating func collect<Value>(_ check: @autoclosure () throws(AdministrationProblem) -> Value?) -> Value? {
        do { return try check() } catch {
            add(error)
            return nil
        }
    }

    /// Requires that there is no problem.
    ///
    /// - Throws: The ``refusal``.
    func require() throws(AdministrationProblem) {
        if let refusal { throw refusal }
    }
}
