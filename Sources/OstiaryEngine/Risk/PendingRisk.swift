/// The risk of a sign-in until its next step is answered: a part of the sealed challenge.
struct PendingRisk: Codable, Hashable, Sendable {
    var assessment: RiskAssessment
    /// The state of the owner's notice; nil for none.
    var notice: Notice?
    /// `true` if the challenge asks for a code by email because of the risk, and not for a factor.
    var asksCode = false
    /// `true` if such a code was answered before.
    var isCodeAnswered: Bool

    enum Notice: Codable, Hashable, Sendable {
        /// It was sent.
        case sent
        /// It is in the queue under this id, and is removed by an answer.
        case queued(String)
    }

    init(_ risk: SignInRisk) {
        assessment = risk.assessment
        notice = risk.notice
        isCodeAnswered = risk.isCodeAnswered
    }
}
