/// The difference of another clock to this machine's.
package struct ClockReading: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        case database
        /// The `Date` header of the answer of a host.
        case host(String)
    }

    package var source: Source
    /// Positive if the other clock is ahead.
    package var offsetSeconds: Double
    /// The largest error of the offset.
    package var uncertaintySeconds: Double

    package init(source: Source, offsetSeconds: Double, uncertaintySeconds: Double) {
        self.source = source
        self.offsetSeconds = offsetSeconds
        self.uncertaintySeconds = uncertaintySeconds
    }
}
