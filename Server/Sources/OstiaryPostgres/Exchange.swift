/// What ends with one answer: statements up to one Sync.
struct Exchange {
    /// What a result to come belongs to.
    enum Expectation {
        case preparation(PreparedStatements.Key)
        case statement
    }

    typealias Outcome = Result<[PostgresRows], PostgresError>

    /// Whether it is unknown what was done if no answer comes.
    let commits: Bool
    let begun = ContinuousClock.now
    var deadline: ContinuousClock.Instant
    /// Whether its caller no longer waits for it.
    var isGivenUp = false
    let finish: @Sendable (Outcome) -> Void

    private var expected: [Expectation] = []
    private var answered = 0
    private var rows: [PostgresRows] = []
    private var failure: PostgresError?

    init(commits: Bool, until deadline: ContinuousClock.Instant, finish: @escaping @Sendable (Outcome) -> Void) {
        self.commits = commits
        self.deadline = deadline
        self.finish = finish
    }

    mutating func expect(_ expectation: Expectation) { expected.append(expectation) }

    /// What the next result belongs to; nil for what comes in answer to the Sync itself, like a constraint that is checked
    /// at the end.
    mutating func next() -> Expectation? {
        guard answered < expected.count else { return nil }
        defer { answered += 1 }
        return expected[answered]
    }

    mutating func add(_ result: ServerResult) { rows.append(PostgresRows(result)) }

    /// The first failure counts: those after it follow from it.
    mutating func fail(_ error: PostgresError) { failure = failure ?? error }

    func outcome(hasWarned: Bool) -> Outcome {
        if let failure { return .failure(failure) }
        guard answered == expected.count else { return .failure(.unknownOutcome("the answer is not whole")) }
        // How a server says that it no longer waits for its standby: done here, and perhaps nowhere else.
        if commits, hasWarned { return .failure(.unknownOutcome("it warned while committing")) }
        return .success(rows)
    }
}
