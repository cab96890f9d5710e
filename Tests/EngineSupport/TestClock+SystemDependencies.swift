public import OstiaryEngine
public import OstiaryTesting

extension TestClock {
    /// The system dependencies of an engine, or of a store, that runs on this clock. Randomness and delays are the
    /// system's.
    public var engineSystem: SystemDependencies {
        SystemDependencies(now: { self.now }, randomBytes: SystemDependencies.system.randomBytes)
    }
}
