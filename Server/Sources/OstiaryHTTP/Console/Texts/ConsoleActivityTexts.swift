/// The texts of the pages about what happens.
protocol ConsoleActivityTexts: Sendable {
    // MARK: Activity

    var range: String { get }
    var time: String { get }
    var timeInUTC: String { get }
    var signIns: String { get }
    var successRate: String { get }
    var registrations: String { get }
    var activeToday: String { get }
    var activeThisWeek: String { get }
    var activeThisMonth: String { get }
    var signInsOverTime: String { get }
    var succeeded: String { get }
    var failed: String { get }
    var pending: String { get }
    var noSignIns: String { get }
    var methodShares: String { get }
    var method: String { get }
    var refusals: String { get }
    var count: String { get }
    var share: String { get }
    var failingMessages: String { get }
    var noFailingMessages: String { get }
    var allMessages: String { get }
    var action: String { get }
    var outcome: String { get }
    var outcomeHint: String { get }
    var since: String { get }
    var until: String { get }
    var details: String { get }
    var needsApp: String { get }
    var noEvents: String { get }
    var message: String { get }
    var recipient: String { get }
    var attempts: String { get }
    var noMessages: String { get }
}
