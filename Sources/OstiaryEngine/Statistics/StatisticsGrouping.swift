/// The property by which the attempts of an interval are divided.
public enum StatisticsGrouping: String, CaseIterable, Hashable, Sendable {
    /// The method of the sign-in.
    case method
    /// `ok`, or the code of the refusal.
    case outcome
}
