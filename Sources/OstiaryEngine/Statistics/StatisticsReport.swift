public import Foundation

/// The statistics of one app in a range of time. Counts events; names no account.
public struct StatisticsReport: Hashable, Sendable {
    /// The app.
    public var app: AppName
    /// The beginning of the range.
    public var from: Date
    /// The end of the range, which does not belong to it.
    public var to: Date
    /// The width of the intervals.
    public var interval: StatisticsInterval
    /// The property by which the attempts of each interval are divided; `nil` for none.
    public var grouping: StatisticsGrouping?
    /// Every interval of the range in order, those without events included.
    public var items: [Item]
    /// The sums over the range.
    public var totals: Totals
    /// The active accounts of every day of the range in order.
    public var activeDays: [ActiveDay]

    /// One interval.
    public struct Item: Hashable, Sendable {
        /// The beginning of the interval.
        public var start: Date
        /// The attempts to sign in.
        public var attempts = AttemptCounts()
        /// The new accounts.
        public var registrations = 0
        /// The attempts by the report's grouping, in the order of their keys; none without a grouping.
        public var groups: [Group] = []
    }

    /// The attempts that have the same method or the same outcome.
    public struct Group: Hashable, Sendable {
        /// The method or the outcome.
        public var key: String
        /// The attempts to sign in.
        public var attempts: AttemptCounts
    }

    /// The sums over a range.
    public struct Totals: Hashable, Sendable {
        /// The attempts to sign in.
        public var attempts = AttemptCounts()
        /// The new accounts.
        public var registrations = 0
        /// The share of successful sign-ins in which a second factor or a passkey was shown, from 0 to 1; `nil` if there was
        /// no successful sign-in.
        public var secondFactorShare: Double?
        /// The number of successful sign-ins by method.
        public var methods: [String: Int] = [:]
        /// The number of attempts by outcome: `ok`, or the code of the refusal.
        public var outcomes: [String: Int] = [:]
        /// The messages, in the order of channels and outcomes.
        public var messages: [MessageCount] = []
        /// The accounts that were active at the end of the range.
        public var activeAccounts = ActiveAccounts()

        /// The share of successes among the attempts that were decided, from 0 to 1; `nil` if none was.
        public var successRate: Double? { attempts.successRate }
        /// The share of refusals among the attempts that were decided, from 0 to 1; `nil` if none was.
        public var failureRate: Double? { attempts.failureRate }
    }

    /// The messages of one channel with the same outcome.
    public struct MessageCount: Hashable, Sendable {
        /// `email`, `sms`, or `unknown`.
        public var channel: String
        /// The outcome.
        public var outcome: MessageOutcome
        /// The number of messages.
        public var count: Int
    }

    /// The numbers of accounts that were active in the day, the ISO week and the month in which a range ends, in UTC.
    public struct ActiveAccounts: Hashable, Sendable {
        /// The accounts that were active on the day.
        public var day = 0
        /// The accounts that were active in the week.
        public var week = 0
        /// The accounts that were active in the month.
        public var month = 0

        /// Creates numbers; each is 0 unless it is given.
        public init(day: Int = 0, week: Int = 0, month: Int = 0) {
            self.day = day
            self.week = week
            self.month = month
        }
    }

    /// The number of accounts that were active on a day.
    public struct ActiveDay: Hashable, Sendable {
        /// The beginning of the day, in UTC.
        public var start: Date
        /// The number of accounts.
        public var accounts: Int
    }
}
