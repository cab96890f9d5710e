extension PersonText {
    /// The time to wait, rounded up to whole seconds up to 99, then to whole minutes.
    package enum Waiting: Hashable, Sendable {
        case oneSecond
        case seconds(Int)
        case minutes(Int)

        package init(_ duration: Duration) {
            let (whole, rest) = duration.components
            let seconds = max(1, Int(clamping: whole) + (rest > 0 ? 1 : 0))
            self = seconds == 1 ? .oneSecond : seconds < 100 ? .seconds(seconds) : .minutes((seconds - 1) / 60 + 1)
        }

        var text: String {
            switch self {
            case .oneSecond: PersonText.oneSecond
            case .seconds(let count): PersonText.seconds.replacing("{count}", with: "\(count)")
            case .minutes(let count): PersonText.minutes.replacing("{count}", with: "\(count)")
            }
        }
    }

    /// - Parameter wait: For example `5 seconds`.
    static func tooManyAttempts(wait: String) -> String { tooManyAttempts.replacing("{wait}", with: wait) }
}
