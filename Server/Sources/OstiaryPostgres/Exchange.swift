/// The statements up to one Sync, which are answered together.
struct Exchange {
    /// The request that an expected result belongs to.
    enum Expectation {
        case preparation(PreparedStatements.Key)
        case statement
    }

    typealias Outcome = Result<[PostgresRows], PostgresError>

    /// `true` if the outcome is unknown when no answer arrives.
    let commits: Bool
    let begun = ContinuousClock.now
    var deadline: ContinuousClock.Instant
    /// `true` if the caller no longer waits for it.
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

    /// Returns the request that the next result belongs to; nil for a result of the Sync itself, such as the violation
    /// of a deferred constraint.
    mutating func next() -> Expectation? {
        guard answered < expected.count else { return nil }
        defer { answered += 1 }
        return expected[answered]
    }

    mutating func add(_ result: ServerResult) { rows.append(PostgresRows(result)) }

    /// Records a failure. Only the first counts: later ones follow from it.
    mutating func fail(_ error: PostgresError) { failure = failure ?? error }

    func outcome(hasWarned: Bool) -> Outcome {
        if let failure { return .failure(failure) }
        guard answered == expected.count else { return .failure(.unknownOutcome("the answer is incomplete")) }
        // A server warns when it no longer waits for its standby: committed there, and possibly on no other server.
        if commits, hasWarned { return .failure(.unknownOutcome("the server warned during the commit")) }
        return .success(rows)
    }
}
