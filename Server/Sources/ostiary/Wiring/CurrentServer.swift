import Logging
import OstiaryHTTP
import Synchronization

/// The dependencies by the configuration in use, and the responders of the listeners, which a reload replaces.
final class CurrentServer: Sendable {
    /// The responder of the main listener.
    let main: ReloadableResponder
    /// The responder of the listener of administration; nil where there is none.
    let admin: ReloadableResponder?
    private let metrics: Metrics
    private let feed: AccessLogFeed
    private let log: Logger
    private let inUse: Mutex<ServerDependencies>

    init(_ dependencies: ServerDependencies, metrics: Metrics, feed: AccessLogFeed, log: Logger) {
        let applications = ServerApplications(dependencies: dependencies, metrics: metrics, feed: feed)
        main = ReloadableResponder(RootResponder(application: applications.main, log: log))
        admin = applications.admin.map { ReloadableResponder(RootResponder(application: $0, log: log)) }
        self.metrics = metrics
        self.feed = feed
        self.log = log
        inUse = Mutex(dependencies)
    }

    var dependencies: ServerDependencies { inUse.withLock { $0 } }

    /// Answers every request that begins from now on with other dependencies. Those under way keep theirs.
    ///
    /// - Parameter dependencies: Has the same listeners.
    func replace(by dependencies: ServerDependencies) {
        let applications = ServerApplications(dependencies: dependencies, metrics: metrics, feed: feed)
        main.replace(by: RootResponder(application: applications.main, log: log))
        if let application = applications.admin {
            admin?.replace(by: RootResponder(application: application, log: log))
        }
        inUse.withLock { $0 = dependencies }
    }
}
