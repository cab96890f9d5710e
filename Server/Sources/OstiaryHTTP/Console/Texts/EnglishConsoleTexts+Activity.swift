extension EnglishConsoleTexts {
    // MARK: Activity

    var range: String { "Time" }
    var time: String { "Time" }
    var timeInUTC: String { "Time (UTC)" }
    var signIns: String { "Sign-ins" }
    var successRate: String { "Success rate" }
    var registrations: String { "Registrations" }
    var activeToday: String { "Active today" }
    var activeThisWeek: String { "Active this week" }
    var activeThisMonth: String { "Active this month" }
    var signInsOverTime: String { "Sign-ins over time" }
    var succeeded: String { "Succeeded" }
    var failed: String { "Failed" }
    var pending: String { "Waiting for a second factor" }
    var noSignIns: String { "No sign-ins in this time" }
    var methodShares: String { "Methods of successful sign-ins" }
    var method: String { "Method" }
    var refusals: String { "Reasons of refusals" }
    var count: String { "Count" }
    var share: String { "Share" }
    var failingMessages: String { "Messages that could not be delivered" }
    var noFailingMessages: String { "All messages were delivered." }
    var allMessages: String { "All failed messages" }
    var action: String { "Action" }
    var outcome: String { "Outcome" }
    var outcomeHint: String { "ok, or the code of a refusal" }
    var since: String { "From" }
    var until: String { "To" }
    var details: String { "Details" }
    var needsApp: String { "Needs an app" }
    var noEvents: String { "No events" }
    var message: String { "Message" }
    var recipient: String { "Recipient" }
    var attempts: String { "Attempts" }
    var noMessages: String { "No messages" }
}
