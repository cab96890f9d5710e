/// The settings of a PostgreSQL server by which it keeps or loses acknowledged writes.
package struct PostgresFacts: Hashable, Sendable {
    package var fsync: Bool
    package var fullPageWrites: Bool
    package var synchronousCommit: String
    /// The value of `synchronous_standby_names`; empty for none.
    package var synchronousStandbyNames: String
    /// The number of connected standbys.
    package var standbys: Int
    package var isStandby: Bool

    package init(
        fsync: Bool, fullPageWrites: Bool, synchronousCommit: String, synchronousStandbyNames: String, standbys: Int,
        isStandby: Bool
    ) {
        self.fsync = fsync
        self.fullPageWrites = fullPageWrites
        self.synchronousCommit = synchronousCommit
        self.synchronousStandbyNames = synchronousStandbyNames
        self.standbys = standbys
        self.isStandby = isStandby
    }
}
